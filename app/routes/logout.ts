// Logging out changes something, so it is a form's errand and never a link's.
import type { ActionFunctionArgs } from "@remix-run/node";
import { leave } from "~/account/leave.server";
import { noted } from "~/account/notes";
import { load } from "~/lib/api.server";

export async function action(args: ActionFunctionArgs) {
  await load(args, (api) => api.account.logOut());
  return leave(noted("/login", "logged-out"));
}

export const loader = () => new Response("Log out with the button.", { status: 405, headers: { allow: "POST" } });
