// The data-use terms in force, for anybody to read.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { PlainPage } from "~/console/plain-page";
import { Prose } from "~/console/prose";
import { load } from "~/lib/api.server";

export const meta: MetaFunction = () => [{ title: "Data-use terms · Aisle" }];

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [terms, account] = await Promise.all([api.terms.current(), api.account.me()]);
    return { terms, account };
  });

export default function TermsPage() {
  const { terms, account } = useLoaderData<typeof loader>();
  return (
    <PlainPage account={account}>
      <Prose markdown={terms.body} top={1} />
    </PlainPage>
  );
}
