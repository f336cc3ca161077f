// The texts of a directory pack: plain data about one endpoint, in the forms that directories read.
import { VERSION } from "../changelog";
import { PROTOCOL_VERSION } from "../mcp/jsonrpc";
import type { DirectoryEntry } from "../services/consumers";
import { annotations, type Tool } from "../tools/tool";

interface Listing {
  entry: DirectoryEntry;
  /** Where the public reaches us. */
  baseUrl: string;
  /** Those that the endpoint lists. */
  tools: readonly Tool[];
}

const TAGLINE = "Real products, real merchants";
const SUMMARY = "Finds products of real merchants, with price, stock, offers and the merchant's own link.";

const addressOf = ({ entry, baseUrl }: Listing) => new URL(`/api/mcp/p/${entry.slug}`, baseUrl).href;
const iconAt = ({ baseUrl }: Listing, name: string) => new URL(`/icons/${name}`, baseUrl).href;
const termsOf = ({ baseUrl }: Listing) => new URL("/terms", baseUrl).href;

/** `com.example/slug`: the registry wants the publisher's own domain, reversed, which the publisher proves there. */
function registryName({ entry }: Listing): string {
  const host = new URL(entry.website).hostname.replace(/^www\./, "");
  return `${host.split(".").toReversed().join(".")}/${entry.slug}`;
}

/** The MCP registry's format (schema of 2025-12-11). */
export const serverJson = (listing: Listing) => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: registryName(listing),
  title: listing.entry.productName.slice(0, 100),
  description: SUMMARY,
  version: VERSION,
  websiteUrl: listing.entry.website,
  icons: [
    { src: iconAt(listing, "aisle-512.png"), mimeType: "image/png", sizes: ["512x512"] },
    { src: iconAt(listing, "aisle.svg"), mimeType: "image/svg+xml", sizes: ["any"] },
  ],
  remotes: [{ type: "streamable-http", url: addressOf(listing) }],
});

/** What the forms of directories ask for, field by field. */
export const manifest = (listing: Listing) => ({
  name: listing.entry.slug,
  display_name: listing.entry.productName,
  tagline: TAGLINE,
  description: SUMMARY,
  category: "Shopping",
  version: VERSION,
  publisher: {
    name: listing.entry.company,
    website: listing.entry.website,
    ...(listing.entry.contact ? { technical_contact: listing.entry.contact } : {}),
  },
  endpoint: {
    url: addressOf(listing),
    transport: "streamable-http",
    authentication: "none",
    protocol_version: PROTOCOL_VERSION,
    stateless: true,
  },
  capabilities: { reads: true, writes: false, checkout: "on the merchant's own site" },
  tools: listing.tools.map(({ name, title }) => ({ name, title, ...annotations })),
  terms: termsOf(listing),
  icons: ["icons/aisle.svg", "icons/aisle-64.png", "icons/aisle-128.png", "icons/aisle-512.png"],
});

const justifications = {
  read_only_justification: "It reads merchants' catalogue data and changes nothing: there is no tool that writes.",
  open_world_justification:
    "It answers from the catalogues that merchants loaded into the service; it publishes nothing and asks no other site.",
  destructive_justification: "It deletes, overwrites and sends nothing, and takes no orders.",
};

/** Prompts that none of our tools is for: the assistant answers without one, or says that it cannot. */
const refusals = [
  {
    description: "Buying is done on the merchant's own site.",
    user_prompt: "Order the Skarn 2 tent with my saved card.",
    expected_output: "Says that it cannot order, and gives the merchant's link if the product was found before.",
  },
  {
    description: "General knowledge needs no catalogue.",
    user_prompt: "Who was the first to climb Carrauntoohil?",
    expected_output: "Answers from general knowledge, without a tool.",
  },
  {
    description: "Orders and accounts are not in the catalogue.",
    user_prompt: "Where is the parcel that I ordered last week?",
    expected_output: "Says that it cannot see orders, and points to the shop or carrier.",
  },
];

const expected = ({ title }: Tool) =>
  `An answer from the result of “${title}”, with product_url unchanged in any link.`;

/** The file that ChatGPT's submission form reads. */
export const submission = (listing: Listing) => ({
  $schema: "https://developers.openai.com/apps-sdk/schemas/chatgpt-app-submission.v1.json",
  schema_version: 1,
  app_info: {
    display_name: listing.entry.productName,
    subtitle: TAGLINE,
    description: SUMMARY,
    category: "SHOPPING",
  },
  tools: Object.fromEntries(
    listing.tools.map(({ name }) => {
      const { readOnlyHint, openWorldHint, destructiveHint } = annotations;
      return [name, { annotations: { readOnlyHint, openWorldHint, destructiveHint }, justifications }];
    }),
  ),
  test_cases: listing.tools.map((tool) => ({
    description: `Triggers ${tool.name}.`,
    user_prompt: tool.prompt,
    file_attachment_urls: null,
    tools_triggered: tool.name,
    expected_output: expected(tool),
    expected_output_url: null,
  })),
  negative_test_cases: refusals.map((refusal) => ({
    ...refusal,
    file_attachment_urls: null,
    tools_triggered: null,
    expected_output_url: null,
  })),
});

/** The same prompts for every other directory, and for trying them by hand. */
export const testPrompts = (listing: Listing) => ({
  positive: listing.tools.map((tool) => ({
    prompt: tool.prompt,
    expected_tool: tool.name,
    expected_answer: expected(tool),
  })),
  negative: refusals.map(({ user_prompt, expected_output }) => ({
    prompt: user_prompt,
    expected_tool: null,
    expected_answer: expected_output,
  })),
});

export const readme = (listing: Listing) => `# ${listing.entry.productName}: directory pack

Endpoint: ${addressOf(listing)}
Streamable HTTP, stateless, no authentication. Every tool only reads; checkout is on the merchant's own site.

| file | for |
|---|---|
| server.json | the MCP registry. Publishing asks you to prove the domain in its name. |
| manifest.json | what the forms of other directories ask for, field by field |
| chatgpt-app-submission.json | ChatGPT's submission form, which reads it |
| tools.json | the answer to tools/list |
| test-prompts.json | a prompt for each tool, and prompts that need none |
| icons/ | the mark as SVG, and as PNG of 64, 128 and 512 pixels |

The prompts are about the demo store, Tarn & Timber, ${listing.entry.hasDemoStore ? "which is always readable" : "which is not loaded here: name a store and products that your platform can read"}. Put your own icon and description in the
place of ours, and give your privacy policy, where a directory asks for the publisher's. Terms of the data: ${termsOf(listing)}
`;
