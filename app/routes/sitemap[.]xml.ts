// The public pages for crawlers, as https://www.sitemaps.org has it.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { load } from "~/lib/api.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const { tools } = await api.docs.overview();
    const paths = ["/", "/docs", ...tools.map(({ name }) => `/docs/${name}`), "/terms", "/signup"];
    const urls = paths.map((path) => `<url><loc>${new URL(path, args.context.baseUrl).href}</loc></url>`);
    const map = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join("\n")}\n</urlset>\n`;
    return new Response(map, { headers: { "content-type": "application/xml; charset=utf-8" } });
  });
