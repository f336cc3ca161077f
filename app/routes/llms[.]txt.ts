// The documentation for models, as https://llmstxt.org has it: made from the same tools.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { load } from "~/lib/api.server";
import { endpointOf } from "~/lib/endpoint.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const docs = await api.docs.overview();
    const endpoint = endpointOf(args);
    const page = (path: string) => new URL(path, endpoint).href;
    const lines = [
      "# Aisle",
      "",
      "> Commerce tools for AI agents over the Model Context Protocol: product search, offers, promotions, loyalty, stock and policies, from real merchants' catalogues. Read-only; checkout happens on the merchant's own site.",
      "",
      `Endpoint: POST ${endpoint} (streamable HTTP, stateless, JSON-RPC 2.0, plain JSON answers).`,
      "Headers: Authorization: Bearer <key>; Content-Type: application/json; Accept: application/json, text/event-stream.",
      `Methods: initialize, ping, tools/list, tools/call. Protocol versions: ${docs.protocolVersions.join(", ")}.`,
      `_meta in params: ${docs.meta}`,
      "Always link shoppers to product_url exactly as given. Prices and stock are as of data_as_of.",
      "",
      "## Tools",
      "",
      ...docs.tools.map(
        ({ name, description, scope }) => `- [${name}](${page(`/docs/${name}`)}): ${description} Scope: ${scope}.`,
      ),
      "",
      "## Errors",
      "",
      ...docs.refusals.map(({ code, status, when, mend }) => `- ${code} (HTTP ${status}): ${when} ${mend}`),
      "",
      "## Limits",
      "",
      ...docs.limits.map(({ what, value }) => `- ${what}: ${value}`),
      "",
      "## Data",
      "",
      ...docs.data.map(({ what, value }) => `- ${what}: ${value}`),
      "",
      "## Optional",
      "",
      `- [Documentation](${page("/docs")})`,
      `- [Data-use terms](${page("/terms")})`,
      "",
    ];
    return new Response(lines.join("\n"), { headers: { "content-type": "text/plain; charset=utf-8" } });
  });
