// An invitation to act for a merchant. The link only shows it; the account with its address accepts with a button.
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Accept, Gone, Other, Stranger, Waiting } from "~/account/invitation-cards";
import { tokenOf } from "~/account/token";
import { act, load } from "~/lib/api.server";
import { again, typed } from "~/lib/form.server";

/** After a refusal too: the invitation may have been used meanwhile. */
export { afterAnyAnswer as shouldRevalidate, keepPage as clientAction } from "~/lib/keep-page";

export const meta: MetaFunction = () => [{ title: "Invitation · Aisle" }];

/** By the link; without one, those that wait for whoever is logged in. */
export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const token = tokenOf(args.request);
    const account = await api.account.me();
    const email = account?.email ?? null;
    const [parts, link, waiting] = await Promise.all([
      account && api.account.parts(),
      token === "" ? null : api.invitation.peek({ token }),
      token === "" ? api.invitation.mine() : [],
    ]);
    const { platform = false, merchant = false, operator = false } = parts ?? {};
    return { email, token, link, waiting, actsFor: merchant, isNew: !platform && !merchant && !operator };
  });

export async function action(args: ActionFunctionArgs) {
  const { id } = await typed(args.request, "id");
  const outcome = await act(args, (api) => api.invitation.accept({ id }));
  if (!outcome.done) return again(outcome, {});
  await load(args, (api) => api.merchant.choose({ merchantId: outcome.value.merchantId }));
  return redirect("/merchant?done=joined");
}

export type Link = NonNullable<Awaited<ReturnType<typeof loader>>["link"]>;

export default function Invitation() {
  const { email, token, link } = useLoaderData<typeof loader>();
  if (link === null) return <Waiting />;
  if (link.state !== "waiting") return <Gone link={link} />;
  const invited = { ...link, token };
  if (email === null) return <Stranger {...invited} />;
  return email === link.email ? <Accept {...invited} /> : <Other {...invited} now={email} />;
}
