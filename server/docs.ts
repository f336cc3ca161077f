// The documentation, made from what it documents: the tool objects, the refusal table, the limits in force. Examples are
// answered by the tools themselves, on the demo store, as a platform in sandbox gets them.
import { z } from "zod";
import { changelog } from "./changelog";
import { type Anonymous, actingAs, type Consumer, type Ctx, scopes } from "./context";
import { DomainError, notFound } from "./errors";
import { REFUSED_KEYS_PER_MINUTE } from "./limits";
import { MAX_BODY_BYTES } from "./mcp/handle";
import { PROTOCOL_VERSION, protocolVersions } from "./mcp/jsonrpc";
import { reported } from "./mcp/meta";
import { prepare } from "./pipeline";
import { refusals } from "./refusals";
import { perClient } from "./services/coalesce";
import { partitioned } from "./services/partitions";
import { demoStore } from "./services/playground";
import { DEAD_MAIL_DAYS, ROLLUP_DAYS, SENT_MAIL_DAYS, UNPROVEN_DAYS } from "./services/retention";
import * as settings from "./services/settings";
import { tools } from "./tools";
import { catalogue } from "./tools/catalogue";
import { exampleFor, type Tool } from "./tools/tool";

/** Nobody's: it reads the demo store, is counted against no limit, and leaves no usage. */
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
  const set = await settings.current(ctx);
  return {
    tools: tools.map(({ name, title, description, scope }) => ({ name, title, description, scope })),
    refusals: [...refusals],
    limits: limits(set),
    data: DATA,
    sandboxScopes: set.sandboxScopes,
    meta: META,
    protocolVersion: PROTOCOL_VERSION,
    protocolVersions,
    changelog,
  };
}

const META = `Optional details about the end user, only for your Usage and Requests: ${reported.map((name) => `com.example/${name}`).join(", ")}, with a prefix of your own. locale is BCP 47, such as en-IE. userLocation is an object of country (ISO 3166-1 alpha-2, such as IE), region and city (names: what holds a digit is left out). session and subject are kept as keyed hashes. Nothing in it grants access; malformed values are ignored.`;

interface Fact {
  what: string;
  value: string;
}

/** What is kept of whoever calls, and for how long (decision 0027). */
const DATA: Fact[] = [
  {
    what: "A call",
    value: `Its tool, store and products, client, status, sizes and duration, for ${partitioned.usage_events} days: for your platform and operators. The store's merchant sees how often each of its products was requested, and by which platform`,
  },
  {
    what: "What it asked",
    value: `Its arguments, for ${partitioned.request_arguments} days, only for your platform's members; anything that looks like a key, a token, a password, an email address or a card number is removed first`,
  },
  { what: "The answer", value: "Only its size, and the reason if it was refused" },
  {
    what: "The shopper",
    value: `Only what _meta says, with the call: language, country, region and city, never coordinates or a postal code; session and subject as keyed hashes that change every month`,
  },
  { what: "Call counts", value: `Per hour for ${ROLLUP_DAYS.hour} days, per day for ${ROLLUP_DAYS.day}` },
  {
    what: "A key",
    value: "Its SHA-256 hash, first 10 and last 4 characters; a lost key is replaced, never shown again",
  },
  {
    what: "Your account",
    value: `Name, address, and a hash of the password, until you delete it; a sign-up that is never confirmed, for ${UNPROVEN_DAYS} days. Account lets you download what is kept about you as JSON, with the Playground calls you made for platforms that you still belong to`,
  },
  {
    what: "Where you are logged in",
    value: "Address and browser of each session, until it ends, at most 30 days after login",
  },
  {
    what: "Networks you log in from",
    value:
      "A hash of your address and the network, for 31 days, even after the account is deleted, so that strangers' attempts do not lock you out",
  },
  {
    what: "An email to you",
    value: `Which one, when, and to which address, for ${SENT_MAIL_DAYS} days, or ${DEAD_MAIL_DAYS} if it could not be delivered; its text, until it is sent`,
  },
  {
    what: "A deleted account",
    value:
      "Its emails are deleted with it. Your decisions stay in the audit and your Playground calls in the request log, under an id that no longer identifies you; backups keep deleted data until they are deleted themselves",
  },
  {
    what: "Cookies",
    value:
      "For logging in, for recognising this browser at your next login, and for the theme; nothing on our pages comes from another site, except merchants' pictures in the Playground, which their own hosts serve",
  },
];

const limits = (set: settings.Settings): Fact[] => [
  { what: "Requests per minute in sandbox, across all keys", value: `${set.sandboxRateLimit}` },
  { what: "Requests per minute in production", value: "as the operator sets them; Overview shows yours" },
  { what: "Keys of a platform in sandbox", value: `${set.sandboxMaxKeys}` },
  { what: "Calls per minute in the Playground, separate from the API's", value: `${set.playgroundRateLimit}` },
  { what: "Refused keys per minute from one address, then 429", value: `${REFUSED_KEYS_PER_MINUTE}` },
  { what: "One address's share of a directory endpoint's limit", value: "half" },
  { what: "Size of a request's body", value: `${MAX_BODY_BYTES / 1024} KiB` },
];

export const GetTool = z.strictObject({ name: z.string().max(100) });

/** A tool with its schemas, and an example answered just now (at most a minute ago). @throws DomainError not_found */
export async function tool(ctx: Ctx<Anonymous>, input: z.infer<typeof GetTool>) {
  const found = tools.find(({ name }) => name === input.name);
  if (!found) throw notFound("tool");
  const demoStoreId = await demoStore(ctx);
  const described = catalogue(demoStoreId).find(({ name }) => name === found.name)!;
  return { ...described, answer: demoStoreId === null ? null : await answerOf(ctx, found, demoStoreId) };
}

const KEPT_MS = 60_000;
const kept = perClient(() => new Map<string, { until: number; answer: Promise<unknown> }>());

/** The page is public: however often it is opened, a tool runs once a minute for it. */
function answerOf(ctx: Ctx<Anonymous>, tool: Tool, demoStoreId: string): Promise<unknown> {
  const answers = kept(ctx.sql);
  const known = answers.get(tool.name);
  if (known && known.until > ctx.now.getTime()) return known.answer;
  const answer = run(ctx, tool, demoStoreId);
  answers.set(tool.name, { until: ctx.now.getTime() + KEPT_MS, answer });
  answer.catch(() => answers.delete(tool.name));
  return answer;
}

async function run(ctx: Ctx<Anonymous>, tool: Tool, demoStoreId: string): Promise<unknown> {
  try {
    const { text } = await prepare(actingAs(ctx, reader), tool, exampleFor(tool, demoStoreId)).run();
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, message: error.message };
    throw error;
  }
}
