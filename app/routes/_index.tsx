import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ArrowRight, Eye, Link2, Search, ShieldCheck } from "lucide-react";

export const meta: MetaFunction = () => [
  { title: "Aisle: the service through which AI agents read shops" },
  { name: "description", content: "Commerce tools over the Model Context Protocol, on real merchants' catalogues." },
];

export function loader({ request }: LoaderFunctionArgs) {
  return { endpoint: new URL("/api/mcp", request.url).href };
}

const promises = [
  {
    icon: Search,
    title: "Eleven tools, one endpoint",
    text: "Search, products, offers, promotions, loyalty, policies and exact inventory, over stateless JSON-RPC.",
  },
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
    text: "Each refusal says what happened, what to do next, and the request id to quote.",
  },
];

export default function Index() {
  const { endpoint } = useLoaderData<typeof loader>();
  return (
    <div className="mx-auto flex min-h-dvh max-w-5xl flex-col px-6 md:px-10">
      <header className="flex items-center gap-3 py-6">
        <img alt="" className="size-8" height="32" src="/favicon.svg" width="32" />
        <span className="font-semibold text-lg tracking-tight">Aisle</span>
      </header>
      <main className="flex flex-1 flex-col justify-center gap-16 py-12 md:py-20">
        <section className="flex max-w-3xl flex-col gap-6">
          <h1 className="text-balance font-semibold text-4xl tracking-tight md:text-6xl">How AI agents read shops</h1>
          <p className="max-w-2xl text-pretty text-lg text-muted leading-relaxed">
            Aisle serves participating merchants' catalogues as tools over the Model Context Protocol. Agents ask in
            shoppers' words and get prices, stock and policies from the merchant, with a link to buy.
          </p>
          <div className="flex flex-col gap-2">
            <span className="text-muted text-sm" id="endpoint">
              MCP endpoint, streamable HTTP
            </span>
            <code
              aria-labelledby="endpoint"
              className="w-fit max-w-full overflow-x-auto rounded-lg border border-line bg-surface px-4 py-3 font-mono text-sm"
            >
              POST {endpoint}
            </code>
          </div>
        </section>
        <ul className="grid gap-px overflow-hidden rounded-xl border border-line bg-line md:grid-cols-2">
          {promises.map(({ icon: Icon, title, text }) => (
            <li className="flex flex-col gap-2 bg-surface p-6" key={title}>
              <Icon aria-hidden className="size-5 text-accent" />
              <h2 className="font-medium">{title}</h2>
              <p className="text-muted text-sm leading-relaxed">{text}</p>
            </li>
          ))}
        </ul>
      </main>
      <footer className="flex flex-wrap items-center justify-between gap-4 border-line border-t py-6 text-muted text-sm">
        <span>Read-only by design: no tool changes anything, and none takes an order.</span>
        <a
          className="inline-flex items-center gap-1 text-accent underline-offset-4 hover:underline"
          href="https://modelcontextprotocol.io"
          rel="noreferrer"
        >
          Model Context Protocol <ArrowRight aria-hidden className="size-4" />
        </a>
      </footer>
    </div>
  );
}
