// What crawlers may read: the public pages by name, and nothing else. A page that is not named is not read, and with `$`
// neither are addresses with a token behind them.
import type { LoaderFunctionArgs } from "@remix-run/node";

const open = [
  "/$",
  "/docs",
  "/llms.txt$",
  "/sitemap.xml$",
  "/terms$",
  "/signup$",
  "/login$",
  // What those pages are drawn with.
  "/assets/",
  "/demo-images/",
  "/favicon.svg$",
  "/favicon.ico$",
  "/apple-touch-icon.png$",
  "/icons/",
];

export const loader = ({ context }: LoaderFunctionArgs) => {
  const sitemap = `Sitemap: ${new URL("/sitemap.xml", context.baseUrl).href}`;
  const lines = ["User-agent: *", ...open.map((path) => `Allow: ${path}`), "Disallow: /", "", sitemap, ""];
  return new Response(lines.join("\n"), { headers: { "content-type": "text/plain; charset=utf-8" } });
};
