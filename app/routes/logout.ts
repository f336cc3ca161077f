// Logging out changes something, so it is a form's errand and never a link's.
import type { ActionFunctionArgs } from "@remix-run/node";
import { leave } from "~/account/leave.server";
import { noted } from "~/account/notes";
import { invitationAt } from "~/account/token";
import { load } from "~/lib/api.server";
import { typed } from "~/lib/form.server";

/** Whoever logs out to accept an invitation as somebody else goes on with it. */
export async function action(args: ActionFunctionArgs) {
  const { invitation } = await typed(args.request, "invitation");
  await load(args, (api) =>
    api.account.logOut().catch((error: unknown) => {
      // Whoever is logged out already, in another tab, is where they want to be.
      if (args.context.explain(error).code !== "unauthenticated") throw error;
    }),
  );
  return leave(invitation ? invitationAt(invitation) : noted("/login", "logged-out"));
}

export const loader = () => new Response("Log out with the button.", { status: 405, headers: { allow: "POST" } });
