// Which of their platforms a person looks at from now on. Links in mails lead here, and on at once unless it is another one.
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
    const to = ownPath(searchParams.get("redirectTo"), "/console");
    const [now, mine] = await Promise.all([api.consumer.current(), api.consumer.mine()]);
    const asked = searchParams.get("consumerId");
    const other = mine.find(({ consumerId }) => consumerId === asked);
    // Not on to whichever platform is looked at: the link says what to do with the one that it is about.
    if (asked && !other)
      throw data({ message: "You have no access to the platform that this link is about." }, { status: 404 });
    if (!other || other.consumerId === now.consumerId) throw redirect(to);
    const { name } = mine.find(({ consumerId }) => consumerId === now.consumerId)!;
    return { now: name, other: { id: other.consumerId, name: other.name }, to };
  });

export async function action(args: ActionFunctionArgs) {
  const { consumerId, redirectTo } = await typed(args.request, "consumerId", "redirectTo");
  await load(args, (api) => api.consumer.choose({ consumerId }));
  return redirect(ownPath(redirectTo, "/console"));
}

export default function Switch() {
  return <ChangeOver {...useLoaderData<typeof loader>()} field="consumerId" home="/console" />;
}
