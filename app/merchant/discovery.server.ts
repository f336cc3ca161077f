import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { act } from "~/lib/api.server";
import { doneAt } from "./notes";

/** The switch of AI Discovery, on whichever page it stands. */
export async function setDiscovery(args: ActionFunctionArgs, store: string, on: boolean) {
  const outcome = await act(args, (api) => api.merchant.setDiscovery({ store, on }));
  return outcome.done ? redirect(doneAt(args.request, on ? "discovery-on" : "discovery-off")) : outcome.response;
}
