// What crawlers may read: the public pages by name, and nothing else. A page that is not named is not read, and with `$`
// neither are addresses with a token behind them.
const open = [
  "/$",
  "/docs",
  "/llms.txt$",
  "/terms$",
  "/signup$",
  "/login$",
  // What those pages are drawn with.
  "/assets/",
  "/demo-images/",
  "/favicon.svg$",
  "/apple-touch-icon.png$",
  "/icons/",
];

const lines = ["User-agent: *", ...open.map((path) => `Allow: ${path}`), "Disallow: /", ""];

export const loader = () =>
  new Response(lines.join("\n"), { headers: { "content-type": "text/plain; charset=utf-8" } });
