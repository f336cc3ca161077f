const LONGEST = 200;

/** The token of a link from a mail, as far as it can be one; "" without. */
export const tokenOf = (request: Request): string =>
  (new URL(request.url).searchParams.get("token") ?? "").slice(0, LONGEST);
