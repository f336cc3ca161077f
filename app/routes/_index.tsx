import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { endpointOf } from "~/lib/endpoint.server";
import { ownPlace } from "~/lib/own-place.server";
import { publicMeta } from "~/lib/public-meta";
import { snippets } from "~/lib/snippets";
import { promises, steps, tools } from "~/lib/start-page";
import { Exchange } from "~/site/exchange";
import { Footer } from "~/site/footer";
import { Point, Section } from "~/site/section";
import { ButtonLink } from "~/ui/button";
import { ClientSnippets } from "~/ui/client-snippets";
import { CopyField } from "~/ui/copy-field";
import { ScopeTag } from "~/ui/scope-tag";
import { type Home, SiteHeader } from "~/ui/site-header";

export const meta: MetaFunction = (args) =>
  publicMeta(args, {
    title: "Aisle: how AI agents read shops",
    description: "Commerce tools over the Model Context Protocol, on merchants' own catalogues.",
  });

export const loader = async (args: LoaderFunctionArgs) => ({ endpoint: endpointOf(args), home: await ownPlace(args) });

export default function Index() {
  const { endpoint, home } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto flex min-h-dvh max-w-6xl flex-col px-4 md:px-8">
      <SiteHeader home={home} />
      <main className="flex flex-col gap-20 py-12 md:gap-28 md:py-20" id="content" tabIndex={-1}>
        <section className="grid items-center gap-12 lg:grid-cols-[minmax(0,6fr)_minmax(0,7fr)] lg:gap-16">
          <div className="flex flex-col gap-8">
            <div className="flex flex-col gap-5">
              <h1 className="text-balance font-semibold text-4xl leading-[1.08] tracking-[-0.03em] md:text-[3.5rem]">
                How AI agents read shops
              </h1>
              <p className="max-w-xl text-pretty text-base text-muted leading-7 md:text-lg md:leading-8">
                Aisle serves merchants' catalogues as tools over the Model Context Protocol. An agent asks in the
                shopper's words; prices, stock and policies come from the merchant, with the merchant's link to buy.
              </p>
            </div>
            <Begin home={home} />
            <CopyField
              hint="Streamable HTTP, stateless: one JSON-RPC message in, plain JSON out."
              label="Endpoint"
              value={endpoint}
            />
          </div>
          <Exchange />
        </section>

        <ul className="grid gap-px overflow-hidden rounded-xl border border-line bg-line sm:grid-cols-2 lg:grid-cols-4">
          {promises.map(({ title, text, proof }) => (
            <li className="flex flex-col gap-2 bg-surface p-6" key={title}>
              <h2 className="font-semibold text-[0.9375rem]">{title}</h2>
              <p className="grow text-pretty text-muted text-sm leading-6">{text}</p>
              <code className="wrap-anywhere mt-2 self-start rounded-md bg-sunken px-2 py-1 font-mono text-muted text-xs leading-5">
                {proof}
              </code>
            </li>
          ))}
        </ul>

        <Section
          id="tools"
          lead="All of them are read-only: none changes anything or takes an order. A key sees the tools its scopes allow."
          title="Eleven tools, one endpoint"
        >
          <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface">
            {tools.map(([name, answers, scope]) => (
              <li key={name}>
                <Link
                  className="grid items-center gap-x-6 gap-y-1 px-4 py-3 -outline-offset-2 hover:bg-sunken sm:grid-cols-[13rem_minmax(0,1fr)_auto] md:px-6"
                  prefetch="intent"
                  to={`/docs/${name}`}
                >
                  <code className="font-mono text-[0.8125rem] text-accent">{name}</code>
                  <span className="text-muted text-sm leading-6">{answers}</span>
                  <span className="max-sm:pt-1">
                    <ScopeTag>{scope}</ScopeTag>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </Section>

        <Section
          id="developers"
          lead="From sign-up to your first successful call in one sitting, if your email is on your website's domain."
          title="For developers"
        >
          <ol className="grid gap-x-8 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
            {steps.map(([title, text], index) => (
              <li className="flex flex-col gap-2 border-line border-t pt-4" key={title}>
                <span aria-hidden className="font-mono text-accent text-xs">
                  {index + 1}
                </span>
                <h3 className="font-semibold text-[0.9375rem]">{title}</h3>
                <p className="text-pretty text-muted text-sm leading-6">{text}</p>
              </li>
            ))}
          </ol>
          <div className="flex min-w-0 flex-col gap-4">
            <h3 className="font-semibold text-[0.9375rem]">In the client you use</h3>
            <ClientSnippets label="Client" snippets={snippets({ endpoint })} />
          </div>
          <Begin home={home} />
        </Section>

        <Section
          id="merchants"
          lead="AI agents read your catalogue only as you allow, and shoppers always buy from you. Stores join by invitation: an operator sets yours up and emails you a link."
          title="For merchants"
        >
          <ul className="grid gap-4 text-muted text-sm leading-6 sm:grid-cols-3">
            <Point title="See who reads you">
              You are told once about each platform that goes live with access to your store, and can block it.
            </Point>
            <Point title="Switch it off">
              Turn AI Discovery on or off for a store, or block single platforms. Changes apply from the next request.
            </Point>
            <Point title="Bring what you have">
              Catalogues load from Google product data, OpenAI's product feed, or the product export of Shopify or
              WooCommerce. Rows that cannot be read are left out and listed; the rest replace the old catalogue in one
              step, or not at all.
            </Point>
          </ul>
        </Section>
      </main>
      <Footer />
    </div>
  );
}

/** The way in, and what to read before. */
const Begin = ({ home }: { home: Home | null }) => (
  <div className="flex flex-wrap gap-3 max-sm:*:grow">
    <ButtonLink size="lg" to={home?.to ?? "/signup"} variant="primary">
      {home?.label ?? "Create a developer account"}
    </ButtonLink>
    <ButtonLink size="lg" to="/docs">
      Read the docs
    </ButtonLink>
  </div>
);
