// The data-use terms in force, for anybody to read; for members who have yet to accept them, what changed, and the way back.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { PlainPage } from "~/console/plain-page";
import { Prose } from "~/console/prose";
import { TextDiff } from "~/desk/text-diff";
import { diffOf } from "~/desk/text-diff.server";
import { load } from "~/lib/api.server";
import { ownPlace } from "~/lib/own-place.server";
import { publicMeta } from "~/lib/public-meta";
import { Banner } from "~/ui/banner";
import { ButtonLink } from "~/ui/button";
import { Panel } from "~/ui/panel";

export const meta: MetaFunction = (args) =>
  publicMeta(args, {
    title: "Data-use terms · Aisle",
    description: "What platforms agree to before their agents read merchants' stores through Aisle.",
  });

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [terms, account, home] = await Promise.all([api.terms.current(), api.account.me(), ownPlace(args)]);
    if (home?.to !== "/console") return { terms, account, home, due: null };
    const [due, { role }] = await Promise.all([api.terms.due(), api.consumer.current()]);
    const before = due?.accepted && { version: due.accepted.version, diff: diffOf(due.accepted.body, terms.body) };
    return { terms, account, home, due: due && { of: due.of, isOwner: role === "owner", before } };
  });

export default function TermsPage() {
  const { terms, account, home, due } = useLoaderData<typeof loader>();
  return (
    <PlainPage account={account} home={home}>
      {due && (
        <Banner
          actions={
            <ButtonLink size="sm" to="/console">
              {due.isOwner ? "Back to Overview to accept" : "Back to Overview"}
            </ButtonLink>
          }
          title={`${due.of} has not accepted version ${terms.version} yet`}
          tone="warning"
        >
          {!due.isOwner && "An owner accepts it on Overview."}
        </Banner>
      )}
      {due?.before && (
        <Panel flush title={`What changed since ${due.before.version}, which it accepted`}>
          <TextDiff paragraphs={due.before.diff} />
        </Panel>
      )}
      <Prose markdown={terms.body} top={1} />
    </PlainPage>
  );
}
