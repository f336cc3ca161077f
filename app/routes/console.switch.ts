// Which of their platforms a person looks at from now on.
import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { load, ownPath } from "~/lib/api.server";
import { typed } from "~/lib/form.server";

export async function action(args: ActionFunctionArgs) {
  const { consumerId, redirectTo } = await typed(args.request, "consumerId", "redirectTo");
  await load(args, (api) => api.consumer.choose({ consumerId }));
  return redirect(ownPath(redirectTo, "/console"));
}

export const loader = () => redirect("/console");
