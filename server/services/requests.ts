// The log of requests: newest first, by keyset. A filter that nothing has an index for reads so many rows and no more, and
// says how far it came: no page waits for the whole log.
import type postgres from "postgres";
import { z } from "zod";
import { DAY_MS } from "../clock";
import { type Ctx, type Member, momentOf, type Operator } from "../context";
import { DomainError, notFound, refuseField } from "../errors";
import { idOf } from "./consumers/find";
import { readableByConsumer } from "./coverage";
import { decodeCursor, encodeCursor } from "./cursor";
import * as failures from "./failures";
import { Cursor, Moment, oneOf, Sought } from "./fields";
import type { Neighbours } from "./pages";
import { partitioned } from "./partitions";
import { type Unmarked, unmarked } from "./redaction";
import { requestRecorded } from "./usage-begun";
import { wasFromItsStore } from "./usage-rollup";

const PAGE = 50;
/** Rows that one page of a filtered log reads at most: some tens of milliseconds. */
const READ_AT_MOST = 10_000;

/** How requests ended: by what became of them, or by status. `answered` has neither error nor refusal. */
const outcomes = ["answered", "failed", "error", "refused", "401", "403", "429", "500", "interrupted"] as const;
export type Outcome = (typeof outcomes)[number];

const REQUEST_ID =
  "A request id has 36 characters, such as 0190a7c2-5b1e-7d3a-9c1f-2a6d8e4b0f17. Every answer has it in X-Request-Id.";
const Id = z.string().trim().max(100, REQUEST_ID).toLowerCase();
const RequestId = Id.pipe(z.guid(REQUEST_ID));

export const ListRequests = z.strictObject({
  requestId: RequestId.optional(),
  tool: Sought(100).optional(),
  outcome: oneOf(outcomes).optional(),
  /** An error code, such as `rate_limited`. */
  code: Sought(100).optional(),
  keyId: z.uuid("Choose an option from the list.").optional(),
  /** From this moment on. */
  from: Moment.optional(),
  /** Before this moment. */
  to: Moment.optional(),
  cursor: Cursor,
});
export const ListAnyRequests = ListRequests.omit({ keyId: true }).extend({ consumer: Sought(200).optional() });
/** What no request can have as its id leads to none either, and is no mistake of form: it stands in an address. */
export const GetRequest = z.strictObject({ requestId: Id });

export interface LoggedRequest {
  requestId: string;
  at: Date;
  endpoint: "api" | "directory" | "playground";
  method: string;
  tool: string | null;
  status: number;
  errorCode: string | null;
  latencyUs: number;
  storeName: string | null;
  /** Null without a key. */
  keyName: string | null;
  keyEnd: string | null;
  /** The consumer's slug and name; null once it is gone. */
  consumer: string | null;
  consumerName: string | null;
}

export interface RequestPage extends Neighbours {
  requests: LoggedRequest[];
  /** Set where the page has not all it could have: it looked back to this moment, `next` goes on from there. */
  searchedTo: Date | undefined;
}

/** A consumer's own requests. @throws DomainError cursor_invalid, invalid_input, invalid_arguments (the cursor is of another query) */
export const list = ({ actor, ...ctx }: Ctx<Member>, input: z.infer<typeof ListRequests>): Promise<RequestPage> =>
  page(ctx, actor.consumerId, input);

/** Everybody's requests, or those of the consumer with this slug. @throws DomainError not_found, and as `list` */
export const listAny = async (ctx: Ctx<Operator>, input: z.infer<typeof ListAnyRequests>): Promise<RequestPage> =>
  page(ctx, input.consumer ? await idOf(ctx, input.consumer) : undefined, input);

const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const LAST_ID = FIRST_ID.replaceAll("0", "f");

type Base = Pick<Ctx, "sql" | "now" | "secretKeys">;
type Filters = z.infer<typeof ListRequests>;

async function page(ctx: Base, consumerId: string | undefined, input: Filters): Promise<RequestPage> {
  const { sql } = ctx;
  if (input.from && input.to && input.from >= input.to) throw refuseField("from", "“From” must be before “to”.");
  const query = { ...input, consumerId };
  const [direction, at, id] = (decodeCursor(ctx, query, ["string", "number", "string"]) ?? ["older"]) as [
    string,
    number,
    string,
  ];
  const isBack = direction === "newer";
  const place = { ...(id === undefined ? {} : { after: { at: new Date(at), id } }), isBack };
  // First, and no row beyond it is read: what comes in meanwhile would move it, and the next page began among this one's.
  const reach = isFiltered(input) ? await edgeOf(ctx, consumerId, input, place) : undefined;
  const found = await sql<LoggedRequest[]>`
    select ${columns(sql)} from (
      select * from (${window(ctx, consumerId, input, { ...place, edge: reach })} offset 0) read
      where ${filter(sql, input)} limit ${PAGE + 1}
    ) e ${joins(sql)} order by e.at desc, e.request_id desc`;
  const isFull = found.length > PAGE;
  const requests = isBack ? found.slice(-PAGE) : found.slice(0, PAGE);
  // Where the next page begins, if this one is not full only because it stopped reading.
  const edge = isFull ? undefined : reach;
  const cursor = (to: "newer" | "older", of: { at: Date; requestId: string } | undefined) =>
    of && encodeCursor(ctx, query, [to, of.at.getTime(), of.requestId]);
  const [first, last] = [requests[0], requests.at(-1)];
  const start = id === undefined ? undefined : { at: new Date(at), requestId: id };
  // A cursor leaves out the row that it names, which a page without rows must not: the next moment has it.
  const beside = (ms: number, requestId: string) => start && { at: new Date(start.at.getTime() + ms), requestId };
  return {
    requests,
    previous: isBack
      ? isFull || edge
        ? cursor("newer", isFull ? first : edge)
        : undefined
      : start && cursor("newer", first ?? beside(-1, LAST_ID)),
    next: isBack
      ? cursor("older", last ?? beside(1, FIRST_ID))
      : isFull
        ? cursor("older", last)
        : cursor("older", edge),
    searchedTo: isBack ? undefined : edge?.at,
  };
}

interface Place {
  after?: { at: Date; id: string };
  /** The last row to be looked through. */
  edge?: { at: Date; requestId: string } | undefined;
  isBack: boolean;
}

/**
 * The rows to look through, in order. Conditions with an index of their own are here, the others in `filter`. Two columns
 * compared at once leave out no day: PostgreSQL reads each of them from end to end, unless told by `at` alone as well.
 */
function window({ sql, now }: Base, consumerId: string | undefined, input: Filters, place: Place) {
  const { after, edge, isBack } = place;
  const kept = new Date(now.getTime() - (partitioned.usage_events + 1) * DAY_MS);
  const [from, to] = input.requestId
    ? momentsOf(input.requestId)
    : [input.from ?? kept, input.to ?? new Date(now.getTime() + DAY_MS)];
  const [than, at, upTo] = isBack ? [sql`>`, sql`>=`, sql`<=`] : [sql`<`, sql`<=`, sql`>=`];
  const order = isBack ? sql`order by at, request_id` : sql`order by at desc, request_id desc`;
  return sql`
    select * from usage_events where at >= ${from} and at < ${to}
      ${consumerId === undefined ? sql`` : sql`and consumer_id = ${consumerId}`}
      ${after ? sql`and (at, request_id) ${than} (${after.at}, ${after.id}) and at ${at} ${after.at}` : sql``}
      ${edge ? sql`and (at, request_id) ${upTo} (${edge.at}, ${edge.requestId}) and at ${upTo} ${edge.at}` : sql``}
      ${input.requestId ? sql`and request_id = ${input.requestId}` : sql``}
      ${input.code || (input.outcome && input.outcome !== "answered") ? sql`and error_code is not null` : sql``}
      ${input.outcome === "500" ? sql`and status >= 500` : sql``}
    ${order}`;
}

const isFiltered = ({ tool, outcome, code, keyId }: Filters) =>
  Boolean(tool || keyId || code || (outcome && outcome !== "failed"));

function filter(sql: Base["sql"], { tool, outcome, code, keyId }: Filters): postgres.Fragment {
  const refused = sql`status in (401, 403, 429)`;
  const byOutcome = {
    answered: sql`error_code is null`,
    failed: sql`true`,
    error: sql`not ${refused}`,
    refused,
    "401": sql`status = 401`,
    "403": sql`status = 403`,
    "429": sql`status = 429`,
    // Nobody knows the status of what was broken off (decision 0052): its row says 500.
    "500": sql`error_code <> 'interrupted'`,
    interrupted: sql`error_code = 'interrupted'`,
  };
  return sql`${outcome ? byOutcome[outcome] : sql`true`} ${tool ? sql`and tool = ${tool}` : sql``} ${code ? sql`and error_code = ${code}` : sql``} ${keyId ? sql`and key_id = ${keyId}` : sql``}`;
}

/** The last of the rows that one page looks through; undefined when there are not so many. */
async function edgeOf(ctx: Base, consumerId: string | undefined, input: Filters, place: Place) {
  const [edge] = await ctx.sql<{ at: Date; requestId: string }[]>`
    select at, request_id as "requestId" from (${window(ctx, consumerId, input, place)} offset ${READ_AT_MOST - 1} limit 1) e`;
  return edge;
}

const columns = (sql: Base["sql"]) => sql`
  e.request_id as "requestId", e.at, e.endpoint, e.method, e.tool, e.status, e.error_code as "errorCode", e.latency_us as "latencyUs",
  s.name as "storeName", k.name as "keyName", k."end" as "keyEnd", c.slug as consumer, c.name as "consumerName"`;
/**
 * A store that was not read is not named: whoever asks for its id does not learn whose it is. Rows of earlier releases do
 * not tell whether lookup_products found anything, so its stores are named while they may be read.
 */
const joins = (sql: Base["sql"]) => sql`
  left join keys k on k.id = e.key_id
  left join consumers c on c.id = e.consumer_id
  left join stores s on s.id = e.store_id and ${wasFromItsStore(sql)}
    and (e.tool is distinct from 'lookup_products' or ${readableByConsumer(sql)})`;

/** A request's id is a UUIDv7: it tells its millisecond, a little before its row's. So one day's partition is looked into. */
function momentsOf(requestId: string): [from: Date, to: Date] {
  const at = momentOf(requestId);
  return [new Date(at - 2_000), new Date(at + 60_000)];
}

interface RequestDetail extends LoggedRequest {
  keyId: string | null;
  storeId: string | null;
  /** Who called from the Playground. */
  account: string | null;
  clientName: string | null;
  locale: string | null;
  country: string | null;
  region: string | null;
  city: string | null;
  requestBytes: number;
  responseBytes: number;
}

interface OwnRequest extends RequestDetail {
  /** What was asked and, where it was refused, what was said; null once it is 7 days old, or if there was nothing to keep. */
  asked: (Pick<Unmarked, "cut" | "isWhole"> & { arguments: unknown; problem: string | null }) | null;
  /** Whether it is too old for that. */
  isForgotten: boolean;
}

/** One of a consumer's own requests. @throws DomainError not_found */
export async function get(ctx: Ctx<Member>, input: z.infer<typeof GetRequest>): Promise<OwnRequest> {
  const { sql, now, actor } = ctx;
  requireId(input.requestId);
  const found = await detail(ctx, input.requestId, sql`and e.consumer_id = ${actor.consumerId}`);
  if (!found) throw notFound("request");
  const since = new Date(now.getTime() - partitioned.request_arguments * DAY_MS);
  const [asked] = await sql<{ arguments: unknown; problem: string | null }[]>`
    select arguments, problem from request_arguments
    where at = ${found.at} and request_id = ${found.requestId} and consumer_id = ${actor.consumerId} and at > ${since}`;
  const { value, ...marked } = unmarked(asked?.arguments);
  return { ...found, asked: asked ? { ...asked, ...marked, arguments: value } : null, isForgotten: found.at <= since };
}

/** What is known of a request, whoever's it is; its arguments are its consumer's own. */
interface AnyRequest {
  request: RequestDetail | undefined;
  failure: failures.Failure | undefined;
}

/** @throws DomainError not_found when neither the log nor the failures know it */
export async function getAny(ctx: Ctx<Operator>, input: z.infer<typeof GetRequest>): Promise<AnyRequest> {
  requireId(input.requestId);
  const [request, failure] = await Promise.all([
    detail(ctx, input.requestId, ctx.sql``),
    failures.find(ctx, input.requestId),
  ]);
  if (!request && !failure) throw notFound("request");
  return { request, failure };
}

/** Whoever typed it learns that it is no id, rather than one of no request. */
function requireId(requestId: string): void {
  if (!RequestId.safeParse(requestId).success) throw new DomainError("not_found", REQUEST_ID);
}

/** One that was answered already is found, though its row is still to follow. */
async function detail(
  ctx: Pick<Ctx, "sql" | "now">,
  requestId: string,
  whose: postgres.Fragment,
): Promise<RequestDetail | undefined> {
  const found = await recorded(ctx, requestId, whose);
  if (found) return found;
  await requestRecorded(ctx, requestId);
  return recorded(ctx, requestId, whose);
}

async function recorded(
  { sql }: Pick<Ctx, "sql">,
  requestId: string,
  whose: postgres.Fragment,
): Promise<RequestDetail | undefined> {
  const [from, to] = momentsOf(requestId);
  const [found] = await sql<RequestDetail[]>`
    select ${columns(sql)}, e.key_id as "keyId", e.store_id as "storeId", a.name as account, e.client_name as "clientName", e.locale,
      e.country, e.region, e.city, e.request_bytes as "requestBytes", e.response_bytes as "responseBytes"
    from usage_events e ${joins(sql)} left join accounts a on a.id = e.account_id
    where e.request_id = ${requestId} and e.at >= ${from} and e.at < ${to} ${whose}`;
  return found;
}
