const LONGEST = 200;

/** The token of a link from a mail, as far as it can be one; "" without. */
export const tokenOf = (request: Request, name = "token"): string =>
  (new URL(request.url).searchParams.get(name) ?? "").slice(0, LONGEST);

/** The page behind the link in an invitation. */
export const invitationAt = (token: string) => `/invitation?${new URLSearchParams({ token })}`;

/** Where somebody signs up, to accept the invitation then. */
export const signUpFor = (invitation: string) => `/signup?${new URLSearchParams({ invitation })}`;
