// Which of their merchants a person acts for from now on.
import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { load, ownPath } from "~/lib/api.server";
import { typed } from "~/lib/form.server";

export async function action(args: ActionFunctionArgs) {
  const { merchantId, redirectTo } = await typed(args.request, "merchantId", "redirectTo");
  await load(args, (api) => api.merchant.choose({ merchantId }));
  return redirect(ownPath(redirectTo, "/merchant"));
}

export const loader = () => redirect("/merchant");
