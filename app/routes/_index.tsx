import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { ArrowRight, Eye, Link2, type LucideIcon, ShieldCheck, Timer } from "lucide-react";
import type { ReactNode } from "react";
import { useTheme } from "~/lib/theme";
import { ButtonLink } from "~/ui/button";
import { CodeBlock } from "~/ui/code-block";
import { CopyField } from "~/ui/copy-field";
import { Mark } from "~/ui/mark";
import { ScopeTag } from "~/ui/scope-tag";
import { ThemeSwitch } from "~/ui/theme-switch";

export const meta: MetaFunction = () => [
  { title: "Aisle: how AI agents read shops" },
  { name: "description", content: "Commerce tools over the Model Context Protocol, on merchants' own catalogues." },
];

export function loader({ request }: LoaderFunctionArgs) {
  return { endpoint: new URL("/api/mcp", request.url).href };
}

const call = `POST /api/mcp
Authorization: Bearer aisle_…

{ "jsonrpc": "2.0", "id": 1,
  "method": "tools/call",
  "params": {
    "name": "search_products",
    "arguments": {
      "query": "trekking tent for two",
      "filters": { "price": { "max": 40000 } }
    } } }`;

const answer = `{
  "product_id": "A01",
  "store_name": "Tarn & Timber",
  "title": "Skarn 2 Trekking Tent",
  "price": {
    "amount": 38900,
    "currency": "EUR",
    "formatted": "€389.00"
  },
  "availability": {
    "status": "in_stock",
    "available": true
  },
  "product_url": "https://www.tarn.example/p/A01…"
}`;

const promises: { icon: LucideIcon; title: string; text: string }[] = [
  {
    icon: Link2,
    title: "The merchant's own link",
    text: "Checkout stays on the merchant's site. Every product_url is theirs, with your platform's credit in it.",
  },
  {
    icon: Eye,
    title: "Merchants decide",
    text: "A block or a withdrawn grant holds on the very next request. Nothing that decides access is cached.",
  },
  {
    icon: ShieldCheck,
    title: "Errors that can be mended",
    text: "Each refusal says what happened and what to do next, in words a model can act on, with an id to quote.",
  },
  {
    icon: Timer,
    title: "Dated facts",
    text: "Prices and stock carry the moment at which they were read from the merchant.",
  },
];

const tools: [name: string, answers: string, scope: string][] = [
  ["search_products", "What fits the shopper's words, with facets to narrow it down", "catalog:read"],
  ["get_product", "Everything about one product, its variants and shipping", "catalog:read"],
  ["lookup_products", "Up to fifty products by id or GTIN", "catalog:read"],
  ["list_stores", "The stores that you can read", "catalog:read"],
  ["get_store_info", "Contact, hours, payment, shipping and returns of a store", "catalog:read"],
  ["list_categories", "How a store orders its shelves", "catalog:read"],
  ["search_store_policies", "A store's own words on returns, warranty, delivery", "catalog:read"],
  ["get_offers", "One article's offers, compared by total price", "offers:read"],
  ["get_promotions", "Codes and reductions, with their conditions", "promotions:read"],
  ["get_loyalty_program", "Tiers, perks, and the points a product would earn", "loyalty:read"],
  ["check_inventory", "Exact stock by location, for quantities", "inventory:read"],
];

const steps: [title: string, text: string][] = [
  ["Create an account", "A name, a work email, a password. The link in the mail proves the address."],
  ["Apply once", "Say what you build. If your email and website share a domain, a sandbox key usually comes at once."],
  ["Try the sandbox", "Sixty requests a minute on the demo store, with your key or in the Playground."],
  ["Go to production", "An operator reviews, sets scopes and limits. Your keys stay the same; the stores become real."],
];

export default function Index() {
  const { endpoint } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto flex min-h-dvh max-w-6xl flex-col px-4 md:px-8">
      <Header />
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
            <div className="flex flex-wrap gap-3">
              <ButtonLink size="lg" to="/signup" variant="primary">
                Create a developer account
              </ButtonLink>
              <ButtonLink size="lg" to="/login">
                Log in
              </ButtonLink>
            </div>
            <CopyField
              hint="Streamable HTTP, stateless: one JSON-RPC message in, plain JSON out."
              label="Endpoint"
              value={endpoint}
            />
          </div>
          <Exchange />
        </section>

        <ul className="grid gap-px overflow-hidden rounded-xl border border-line bg-line sm:grid-cols-2 lg:grid-cols-4">
          {promises.map(({ icon: Icon, title, text }) => (
            <li className="flex flex-col gap-2 bg-surface p-6" key={title}>
              <Icon aria-hidden className="mb-2 size-5 text-accent" />
              <h2 className="font-semibold text-[0.9375rem]">{title}</h2>
              <p className="text-pretty text-muted text-sm leading-6">{text}</p>
            </li>
          ))}
        </ul>

        <Section
          id="tools"
          lead="All of them read; none changes anything or takes an order. A key sees the tools that its scopes allow."
          title="Eleven tools, one endpoint"
        >
          <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface">
            {tools.map(([name, answers, scope]) => (
              <li
                className="grid items-center gap-x-6 gap-y-1 px-4 py-3 sm:grid-cols-[13rem_minmax(0,1fr)_auto] md:px-6"
                key={name}
              >
                <code className="font-mono text-[0.8125rem] text-ink">{name}</code>
                <span className="text-muted text-sm leading-6">{answers}</span>
                <span className="max-sm:pt-1">
                  <ScopeTag>{scope}</ScopeTag>
                </span>
              </li>
            ))}
          </ul>
        </Section>

        <Section
          id="developers"
          lead="From sign-up to a first successful call in one sitting, when your email is on your website's domain."
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
        </Section>

        <Section
          id="merchants"
          lead="Your catalogue is read by AI agents only as you allow, and shoppers always buy from you."
          title="For merchants"
        >
          <ul className="grid gap-4 text-muted text-sm leading-6 sm:grid-cols-3">
            <Point title="See who reads you">
              Each platform that goes live with access to your store is announced to you once, with a way to block it.
            </Point>
            <Point title="Switch it off">
              AI Discovery on or off for a store, or platform by platform. It holds from the next request on.
            </Point>
            <Point title="Bring what you have">
              Catalogues load from Google product data or OpenAI's product feed, all or nothing, with every bad row
              named.
            </Point>
          </ul>
        </Section>
      </main>
      <Footer />
    </div>
  );
}

function Header() {
  const theme = useTheme();
  return (
    <header className="flex h-16 items-center gap-2">
      <Link className="mr-4 flex items-center gap-2.5 rounded-md font-semibold tracking-tight" to="/">
        <Mark />
        Aisle
      </Link>
      <nav aria-label="On this page" className="flex grow gap-1 max-md:hidden">
        {["Tools", "Developers", "Merchants"].map((label) => (
          <a
            className="rounded-md px-3 py-1.5 text-muted text-sm hover:bg-raised hover:text-ink"
            href={`#${label.toLowerCase()}`}
            key={label}
          >
            {label}
          </a>
        ))}
      </nav>
      <div className="ml-auto flex items-center gap-2">
        <ThemeSwitch theme={theme} />
        <ButtonLink className="max-sm:hidden" to="/login" variant="ghost">
          Log in
        </ButtonLink>
        <ButtonLink to="/signup" variant="secondary">
          Sign up
        </ButtonLink>
      </div>
    </header>
  );
}

/** A call and its answer, dark in both themes. */
function Exchange() {
  return (
    <div className="min-w-0 rounded-xl shadow-float">
      <figure className="scheme-dark overflow-hidden rounded-xl bg-sunken text-ink">
        <CodeBlock bare code={call} label="A call" language="http" />
        <div className="border-line border-t">
          <CodeBlock bare code={answer} label="A product of the answer" language="json" />
        </div>
        <figcaption className="border-line border-t px-4 py-3 text-[0.8125rem] text-muted">
          A search in the demo store, and one product of its answer, shortened.
        </figcaption>
      </figure>
    </div>
  );
}

function Section({ id, title, lead, children }: { id: string; title: string; lead: string; children: ReactNode }) {
  return (
    <section aria-labelledby={`${id}-title`} className="flex scroll-mt-8 flex-col gap-8" id={id}>
      <div className="flex flex-col gap-2">
        <h2 className="text-balance font-semibold text-2xl tracking-tight md:text-3xl" id={`${id}-title`}>
          {title}
        </h2>
        <p className="max-w-2xl text-pretty text-base text-muted leading-7">{lead}</p>
      </div>
      {children}
    </section>
  );
}

const Point = ({ title, children }: { title: string; children: ReactNode }) => (
  <li className="flex flex-col gap-2 rounded-xl border border-line bg-surface p-6">
    <h3 className="font-semibold text-[0.9375rem] text-ink">{title}</h3>
    <p className="text-pretty">{children}</p>
  </li>
);

const Footer = () => (
  <footer className="flex flex-wrap items-center justify-between gap-4 border-line border-t py-8 text-[0.8125rem] text-muted">
    <span>Read-only by design: no tool changes anything, and none takes an order.</span>
    <a
      className="inline-flex items-center gap-1 rounded text-accent underline-offset-4 hover:underline"
      href="https://modelcontextprotocol.io"
      rel="noreferrer"
    >
      Model Context Protocol <ArrowRight aria-hidden className="size-3.5" />
    </a>
  </footer>
);
