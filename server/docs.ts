// The documentation, made from what it documents: the tool objects, the refusal table, the limits in force. Examples are
// answered by the tools themselves, on the demo store, as a platform in sandbox gets them.
import type { Sql } from "../db/client";
import { changelog } from "./changelog";
import { type Anonymous, type Consumer, type Ctx, scopes } from "./context";
import { DomainError, notFound } from "./errors";
import { REFUSED_KEYS_PER_MINUTE } from "./limits";
import { MAX_BODY_BYTES } from "./mcp/handle";
import { PROTOCOL_VERSION, protocolVersions } from "./mcp/jsonrpc";
import { reported } from "./mcp/meta";
import { prepare } from "./pipeline";
import { refusals } from "./refusals";
import * as defaults from "./services/defaults";
import { demoStore } from "./services/playground";
import { tools } from "./tools";
import { catalogue } from "./tools/catalogue";
import { exampleFor, type Tool } from "./tools/tool";

/** Nobody: it reads the demo store, is counted nowhere, and leaves no usage. */
const reader: Consumer = {
  kind: "consumer",
  consumerId: "00000000-0000-0000-0000-000000000000",
  slug: "docs",
  tier: "sandbox",
  coverage: "explicit",
  scopes,
  rateLimit: 0,
  utmSource: null,
  endpoint: "api",
  keyId: null,
  accountId: null,
};

/** Everything but the tools' schemas and answers. */
export async function overview(ctx: Ctx<Anonymous>) {
  const set = await defaults.sandbox(ctx);
  return {
    tools: tools.map(({ name, title, description, scope }) => ({ name, title, description, scope })),
    refusals: [...refusals],
    limits: limits(set),
    sandboxScopes: set.sandboxScopes,
    meta: META,
    protocolVersion: PROTOCOL_VERSION,
    protocolVersions,
    changelog,
  };
}

const META = `May say who is served, for your Usage and Requests alone: ${reported.map((name) => `com.example/${name}`).join(", ")}, with a prefix of your own. The location is an object of country, region and city; session and subject are kept as keyed hashes. Nothing in it grants access; what is malformed is ignored.`;

const limits = (set: defaults.Defaults): { what: string; value: string }[] => [
  { what: "Requests per minute in sandbox, over all keys together", value: `${set.sandboxRateLimit}` },
  { what: "Requests per minute in production", value: "as the operator sets them; Overview shows yours" },
  { what: "Keys of a platform in sandbox", value: `${set.sandboxMaxKeys}` },
  { what: "Calls per minute in the Playground, beside the API's", value: `${set.playgroundRateLimit}` },
  {
    what: "Refused keys per minute from one address, malformed ones aside, then 429",
    value: `${REFUSED_KEYS_PER_MINUTE}`,
  },
  { what: "One address's share of a directory endpoint's limit", value: "half" },
  { what: "Size of a request's body", value: `${MAX_BODY_BYTES / 1024} KiB` },
];

/** A tool with its schemas, and an example answered just now (at most a minute ago). @throws DomainError not_found */
export async function tool(ctx: Ctx<Anonymous>, input: { name: string }) {
  const found = tools.find(({ name }) => name === input.name);
  if (!found) throw notFound("tool");
  const demoStoreId = await demoStore(ctx);
  const described = catalogue(demoStoreId).find(({ name }) => name === found.name)!;
  return { ...described, answer: demoStoreId === null ? null : await answerOf(ctx, found, demoStoreId) };
}

const KEPT_MS = 60_000;
const kept = new WeakMap<Sql, Map<string, { until: number; answer: Promise<unknown> }>>();

/** The page is public: however often it is opened, a tool runs once a minute for it. */
function answerOf(ctx: Ctx<Anonymous>, tool: Tool, demoStoreId: string): Promise<unknown> {
  const answers = kept.get(ctx.sql) ?? new Map();
  kept.set(ctx.sql, answers);
  const known = answers.get(tool.name);
  if (known && known.until > ctx.now.getTime()) return known.answer;
  const answer = run(ctx, tool, demoStoreId);
  answers.set(tool.name, { until: ctx.now.getTime() + KEPT_MS, answer });
  answer.catch(() => answers.delete(tool.name));
  return answer;
}

async function run(ctx: Ctx<Anonymous>, tool: Tool, demoStoreId: string): Promise<unknown> {
  try {
    return JSON.parse(await prepare({ ...ctx, actor: reader }, tool, exampleFor(tool, demoStoreId)).run());
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, message: error.message };
    throw error;
  }
}
