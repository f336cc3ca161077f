// What a page that is open to all is called elsewhere: in results of a search, and where its link is shared (https://ogp.me).
import type { MetaDescriptor, MetaFunction } from "@remix-run/node";

type Args = Pick<Parameters<MetaFunction>[0], "location" | "matches">;

/** @param of the page's own title, as the document has it, and what it is in a sentence or two */
export function publicMeta({ location, matches }: Args, of: { title: string; description: string }): MetaDescriptor[] {
  const root = matches.find(({ id }) => id === "root")?.data as { baseUrl: string } | undefined;
  const property = (name: string, content: string) => ({ property: `og:${name}`, content });
  const page: MetaDescriptor[] = [
    { title: of.title },
    { name: "description", content: of.description },
    property("site_name", "Aisle"),
    property("type", "website"),
    property("title", of.title),
    property("description", of.description),
  ];
  if (!root) return page;
  // `//docs/` is the same page.
  const path = location.pathname.split("/").filter(Boolean).join("/");
  const [address, picture] = [path, "icons/link-preview.png"].map((at) => `${root.baseUrl}/${at}`) as [string, string];
  return [
    ...page,
    { tagName: "link", rel: "canonical", href: address },
    property("url", address),
    property("image", picture),
    property("image:width", "1200"),
    property("image:height", "630"),
    property("image:alt", "Aisle: how AI agents read shops"),
    { name: "twitter:card", content: "summary_large_image" },
  ];
}
