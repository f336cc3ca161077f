// Which of their merchants a person acts for from now on. Links in mails lead here, and on at once unless it is another one.
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { load, ownPath } from "~/lib/api.server";
import { typed } from "~/lib/form.server";
import { ChangeOver } from "~/ui/change-over";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Switch · Aisle" }];
export const handle = { crumb: "Switch" };

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const { searchParams } = new URL(args.request.url);
    const to = ownPath(searchParams.get("redirectTo"), "/merchant");
    const [now, mine] = await Promise.all([api.merchant.current(), api.merchant.mine()]);
    const asked = searchParams.get("merchantId");
    const other = mine.find(({ merchantId }) => merchantId === asked);
    // Not on to whichever merchant is looked at: the link says what to do with the one that it is about.
    if (asked && !other)
      throw data({ message: "You do not act for the merchant that this link is about." }, { status: 404 });
    if (!other || other.merchantId === now.merchantId) throw redirect(to);
    return { now: now.name, other: { id: other.merchantId, name: other.name }, to };
  });

export async function action(args: ActionFunctionArgs) {
  const { merchantId, redirectTo } = await typed(args.request, "merchantId", "redirectTo");
  await load(args, (api) => api.merchant.choose({ merchantId }));
  return redirect(ownPath(redirectTo, "/merchant"));
}

export default function Switch() {
  return <ChangeOver {...useLoaderData<typeof loader>()} field="merchantId" home="/merchant" />;
}
