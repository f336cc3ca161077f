// The one gate for tools, for every door (API, directory endpoint, Playground): who is admitted, what they spend of their limit,
// which tools they may list and call, what is recorded. mcp/handle.ts takes these steps in this order, except that a call may
// already run while its key is looked up (decision 0031).
import { type Anonymous, actingAs, type Consumer, type Core, type Ctx, contextFor, type Member } from "./context";
import { DomainError } from "./errors";
import { JsonText } from "./json-text";
import type { Place } from "./limit-store";
import type { Allowance } from "./limits";
import * as consumers from "./services/consumers";
import * as admission from "./services/key-admission";
import * as playground from "./services/playground";
import type { Begun, Caller } from "./services/usage";
import { isFromItsStore } from "./services/usage-rollup";
import { tools } from "./tools";
import { check } from "./tools/arguments";
import type { Tool } from "./tools/tool";

const byName = new Map(tools.map((tool) => [tool.name, tool]));

/** A key that was refused, and whose it is: its consumer wants to see it in its usage. */
export interface RefusedKey {
  caller: Caller;
  reason: admission.Refusal;
  /** What its sender is told, unless their address has sent too many. */
  message: string;
}

/** A caller who may go on. */
export interface Admitted {
  ctx: Ctx<Consumer>;
  /** Its place in its consumer's window, if the look-up of its key counted it too. */
  counted?: Place | undefined;
  /** The record that the request has begun, if the look-up of its key wrote one (decision 0052). */
  begun?: Begun | undefined;
}

/**
 * The context in which a request may begin while its key is looked up: that of the consumer for whom the key spoke the last
 * time. What comes of it is sent only if admitKey() then gives the same consumer.
 * @returns undefined for a key that this process has not seen before
 */
export function expectedCaller(ctx: Ctx<Anonymous>, { expected }: admission.Presented): Ctx<Consumer> | undefined {
  return expected && actingAs(ctx, expected);
}

/**
 * The consumer that a key speaks for. A refused key counts against its sender's address.
 * @param ahead the request, if it was begun ahead: then it is counted against its consumer's limit with the look-up
 * @param address the client's
 * @param onRefused called with a refused key that was once issued, and so belongs to a consumer
 * @throws DomainError missing_token, invalid_token, rate_limited (the address has sent too many refused keys)
 */
export async function admitKey(
  ctx: Ctx<Anonymous>,
  key: admission.Presented | undefined,
  ahead: { ctx: Ctx<Consumer>; method: string; tool: string | undefined } | undefined,
  address: string,
  onRefused: (refused: RefusedKey) => void,
): Promise<Admitted> {
  if (key === undefined) {
    throw new DomainError("missing_token", "Send your API key as 'Authorization: Bearer <key>'.");
  }
  try {
    const request = ahead && {
      requestId: ctx.requestId,
      at: ctx.now,
      method: ahead.method,
      tool: ahead.tool,
    };
    const { consumer, ...counted } = await admission.admit(ctx, key, request, address);
    return { ctx: consumer === ahead?.ctx.actor ? ahead.ctx : actingAs(ctx, consumer), ...counted };
  } catch (error) {
    if (!(error instanceof admission.RefusedKey)) throw error;
    const { holder, reason, message, counted } = error;
    if (holder) onRefused({ caller: { ...holder, accountId: null, endpoint: "api" }, reason, message });
    await (reason === "malformed" ? ctx.limits.malformedKey(address) : ctx.limits.refusedKey(address, counted));
    throw error;
  }
}

/** The consumer whose directory endpoint this is. @throws DomainError unknown_endpoint */
export async function admitDirectory(ctx: Ctx<Anonymous>, slug: string): Promise<Admitted> {
  return { ctx: actingAs(ctx, await consumers.byDirectorySlug(ctx, slug)) };
}

/**
 * The consumer of a member who runs a tool in the Playground.
 * @throws DomainError invalid_token (access revoked), conflict (the application is under review), unknown_endpoint (no
 *   directory endpoint to answer as)
 */
export async function admitMember(ctx: Ctx<Member>, as: { directory: boolean }): Promise<Admitted> {
  return { ctx: actingAs(ctx, await playground.asConsumer(ctx, as)) };
}

/**
 * Counts the request against its consumer's limit, unless it was counted with its key; the Playground has one of its own.
 * @throws DomainError rate_limited
 */
export async function spend({ ctx, counted }: Admitted, address: string): Promise<Allowance> {
  const { consumerId, rateLimit, endpoint } = ctx.actor;
  if (endpoint === "playground") return ctx.limits.playground(consumerId, rateLimit);
  if (endpoint === "directory") return ctx.limits.directory(consumerId, address, rateLimit);
  return ctx.limits.consumer(consumerId, rateLimit, counted);
}

/** The place of the next request by key of a consumer that is known to be over its limit. */
export const placeBeyond = ({ limits, actor }: Ctx<Consumer>): Place | undefined =>
  limits.consumerBeyond(actor.consumerId, actor.rateLimit);

/**
 * May a request run while its key is asked for and it is counted? Tools only read, so what a refused one found goes
 * nowhere. Whoever is known to be over its limit has nothing run; nor have directory endpoints, where nobody says who asks.
 */
export const mayRunAhead = (ctx: Ctx<Consumer>): boolean => ctx.actor.endpoint === "api" && !placeBeyond(ctx);

/** The tools that the caller's scopes allow, in their fixed order. */
export const listTools = (ctx: Ctx<Consumer>): Tool[] => tools.filter((tool) => ctx.actor.scopes.includes(tool.scope));

export const isTool = (name: string): boolean => byName.has(name);

/** A call whose tool is known and allowed, and whose arguments fit. */
export interface PreparedCall {
  tool: Tool;
  /** The store that it asks for, once it was answered from it (decision 0017). */
  storeId: string | undefined;
  /** What it names in that store. */
  productIds: readonly string[];
  run: () => Promise<JsonText>;
}

/** The tool by its name, if the caller may use it. @throws DomainError unknown_tool, insufficient_scope */
export function findTool(ctx: Ctx<Consumer>, name: string): Tool {
  const tool = byName.get(name);
  if (!tool) {
    throw new DomainError(
      "unknown_tool",
      `There is no tool "${name.slice(0, 100).toWellFormed()}". Call tools/list for the tools you can use.`,
    );
  }
  if (!ctx.actor.scopes.includes(tool.scope)) throw insufficientScope(tool, ctx.actor);
  return tool;
}

/** @throws DomainError invalid_arguments with `details.issues`, one for each argument that does not fit, twenty at most */
export function prepare(ctx: Ctx<Consumer>, tool: Tool, args: unknown): PreparedCall {
  const { input: fitting, issues, more } = check(tool, args);
  if (issues.length > 0) {
    const first = issues.map(({ path, message }) => `${path || "arguments"} ${message}`).join("; ");
    const said = more > 0 ? `${first}; and ${more} more` : first;
    throw new DomainError("invalid_arguments", `The arguments do not fit ${tool.name}: ${said}.`, {
      details: { issues },
    });
  }
  const input = fitting as never;
  const call: PreparedCall = {
    tool,
    storeId: undefined,
    productIds: tool.productsOf?.(input) ?? [],
    run: async () => {
      try {
        const answer = await tool.handler(ctx, input);
        if (isFromStore(tool, answer)) call.storeId = tool.storeOf?.(input);
        return JsonText.of(answer);
      } catch (error) {
        if (error instanceof DomainError && isFromItsStore(error.code)) call.storeId = tool.storeOf?.(input);
        throw error;
      }
    },
  };
  return call;
}

/** Most tools throw where the store that is asked for can't be read, so any answer is from it; the others say so themselves. */
const isFromStore = ({ isFromStore }: Tool, answer: Record<string, unknown> | JsonText): boolean =>
  isFromStore === undefined || (!(answer instanceof JsonText) && isFromStore(answer as never));

/**
 * What a call would answer, and nothing else: not counted, not limited, not recorded. For showing merchants their own
 * store as an agent sees it.
 * @param reader who calls, or the refusal that they get at the door
 * @returns the answer, or the refusal that the caller would get in its place
 */
export async function preview(reader: Ctx<Consumer> | DomainError, name: string, args: unknown) {
  try {
    if (reader instanceof DomainError) throw reader;
    const { text } = await prepare(reader, findTool(reader, name), args).run();
    return { answer: JSON.parse(text) as Record<string, unknown> };
  } catch (error) {
    if (error instanceof DomainError) return { refusal: { code: error.code, message: error.message } };
    throw error;
  }
}

// The client doctor's: an address is admitted like a key, and what was found is recorded beside the answer.
export { admit as admitCheck, type OpenCheck, type Report, type Rule, record as recordVisit } from "./services/doctor";
export { record as recordFailure } from "./services/failures";
export { type Presented, presented } from "./services/key-admission";
export { findKeyFault } from "./services/key-faults";
export { type ClientReport, record, recordBeyond, UNREAD } from "./services/usage";
export { tools } from "./tools";

export const anonymous = (core: Core, requestId: string): Ctx<Anonymous> =>
  contextFor(core, { kind: "anonymous" }, requestId);

function insufficientScope(tool: Tool, { endpoint, scopes }: Consumer): DomainError {
  const who = endpoint === "api" ? "this key" : endpoint === "directory" ? "this endpoint" : "this platform";
  const next = endpoint === "api" ? "Use a key that has it, or ask the operator for it." : "An operator grants it.";
  return new DomainError(
    "insufficient_scope",
    `${tool.name} needs the scope ${tool.scope}, which ${who} does not have. ${next}`,
    { details: { required_scope: tool.scope, granted_scopes: scopes } },
  );
}
