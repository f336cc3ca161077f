// Consumers found: one by its slug, or those that an operator looks for.
import { and, asc, eq, isNotNull, sql as raw } from "drizzle-orm";
import { z } from "zod";
import { applications, consumers } from "../../../db/schema/consumers";
import type { Anonymous, Consumer, Ctx, Member, Operator, Scope, System } from "../../context";
import { DomainError, notFound } from "../../errors";
import { Cursor, oneOf, Sought } from "../fields";
import { containing } from "../like";
import { type Neighbours, pageOf, turnOf } from "../pages";
import { demoStore } from "../playground";
import type { ConsumerRow } from "./access";

/** The consumer that a directory endpoint was issued to, for calls without a key. @throws DomainError unknown_endpoint */
export async function byDirectorySlug(ctx: Ctx<Anonymous>, slug: string): Promise<Consumer> {
  const [row] = await ctx.sql<Omit<Consumer, "kind" | "endpoint" | "keyId" | "accountId">[]>`
    select id as "consumerId", slug, tier, coverage, scopes, rate_limit as "rateLimit", utm_source as "utmSource"
    from consumers where directory_slug = ${slug} and state = 'production'`;
  if (!row)
    throw new DomainError("unknown_endpoint", "There is no directory endpoint here. Check the address in the console.");
  return { ...row, kind: "consumer", endpoint: "directory", keyId: null, accountId: null };
}

export const all = (ctx: Ctx<Operator | System>): Promise<ConsumerRow[]> =>
  ctx.db.select().from(consumers).orderBy(asc(consumers.slug));

export const GetConsumer = z.strictObject({ slug: z.string().max(63) });

interface FoundConsumer extends ConsumerRow {
  /** The act that put it where it stands; null where it has stood there since it was made. */
  enteredBy: string | null;
}

/** @throws DomainError not_found */
export async function get(ctx: Ctx<Operator | System>, { slug }: z.infer<typeof GetConsumer>): Promise<FoundConsumer> {
  const [found] = await ctx.db
    .select({
      consumer: consumers,
      enteredBy: raw<string | null>`(select a.action from audit a
        where a.target_kind = 'consumer' and a.target_id = consumers.id::text
          and a.before->>'state' is distinct from a.after->>'state'
        order by a.at desc, a.id desc limit 1)`,
    })
    .from(consumers)
    .where(eq(consumers.slug, slug));
  if (!found) throw notFound(`consumer "${slug}"`);
  return { ...found.consumer, enteredBy: found.enteredBy };
}

/** For a filter: the id of the consumer with the slug that was typed. @throws DomainError not_found, beside `consumer` */
export async function idOf({ db }: Ctx<Operator>, slug: string): Promise<string> {
  const [found] = await db.select({ id: consumers.id }).from(consumers).where(eq(consumers.slug, slug));
  if (!found) throw notFound("consumer", "consumer");
  return found.id;
}

/** For all that is asked about one consumer. */
export const OneConsumer = z.strictObject({ consumerId: z.uuid() });

export interface DirectoryEntry {
  /** Of its endpoint, which answers. */
  slug: string;
  scopes: Scope[];
  productName: string;
  company: string;
  website: string;
  contact: string;
  /** What the prompts for trying it are about. */
  hasDemoStore: boolean;
}

/** What a directory is told of the member's consumer, or of any, for operators. @throws DomainError not_found (no endpoint) */
export async function directoryEntry(
  ctx: Ctx<Operator | Member>,
  input: { consumerId: string },
): Promise<DirectoryEntry> {
  const consumerId = ctx.actor.kind === "member" ? ctx.actor.consumerId : input.consumerId;
  const [[found], demoStoreId] = await Promise.all([
    ctx.db
      .select({ consumer: consumers, application: applications })
      .from(consumers)
      .leftJoin(applications, eq(applications.consumerId, consumers.id))
      .where(and(eq(consumers.id, consumerId), eq(consumers.state, "production"), isNotNull(consumers.directorySlug))),
    demoStore(ctx),
  ]);
  if (!found) throw notFound("directory endpoint");
  const { consumer, application } = found;
  return {
    slug: consumer.directorySlug!,
    scopes: consumer.scopes,
    productName: consumer.name,
    company: application?.company ?? consumer.name,
    website: application?.website ?? ctx.baseUrl,
    contact: application?.technicalContactEmail ?? "",
    hasDemoStore: demoStoreId !== null,
  };
}

const PAGE = 50;
/** Counting stops here: beyond it the exact number helps nobody. */
const MAX_COUNTED = 10_000;

export const FindConsumers = z.strictObject({
  /** Part of the name, slug, company, or of an address of the contact or a member. */
  query: Sought(200).optional(),
  state: oneOf(consumers.state.enumValues).optional(),
  /** Of those in production: the others read the demo store, or nothing. */
  coverage: oneOf(consumers.coverage.enumValues).optional(),
  cursor: Cursor,
});

interface ConsumerListing {
  id: string;
  slug: string;
  name: string;
  company: string | null;
  state: ConsumerRow["state"];
  revokedFrom: ConsumerRow["revokedFrom"];
  coverage: ConsumerRow["coverage"];
  scopes: Scope[];
  rateLimit: number;
  /** When any of its keys was last used, exact to the minute. */
  lastUsedAt: Date | null;
}

interface FoundConsumers extends Neighbours {
  consumers: ConsumerListing[];
  /** Null beyond 10,000. */
  total: number | null;
}

/** Consumers by name, a page at a time. @throws DomainError cursor_invalid, invalid_arguments */
export async function find(ctx: Ctx<Operator>, input: z.infer<typeof FindConsumers>): Promise<FoundConsumers> {
  const { sql } = ctx;
  const query = { list: "consumers", ...input };
  const turn = turnOf(ctx, query, ["string", "string"]);
  const { key, back } = turn;
  const direction = back ? sql`desc` : sql``;
  const matching = sql`
    from consumers c left join applications a on a.consumer_id = c.id
    where true ${input.query ? matches(sql, input.query) : sql``}
      ${input.state ? sql`and c.state = ${input.state}` : sql``}
      ${input.coverage ? sql`and c.coverage = ${input.coverage} and c.state = 'production'` : sql``}`;
  const [found, [counted]] = await Promise.all([
    sql<ConsumerListing[]>`
      select c.id, c.slug, c.name, a.company, c.state, c.revoked_from as "revokedFrom", c.coverage, c.scopes, c.rate_limit as "rateLimit",
        (select max(k.last_used_at) from keys k where k.consumer_id = c.id) as "lastUsedAt"
      ${matching} ${key ? sql`and (c.name, c.slug) ${back ? sql`<` : sql`>`} (${key[0]!}, ${key[1]!})` : sql``}
      order by c.name ${direction}, c.slug ${direction} limit ${PAGE + 1}`,
    sql<{ total: number }[]>`select count(*)::int as total from (select ${matching} limit ${MAX_COUNTED + 1}) counted`,
  ]);
  const keyOf = ({ name, slug }: ConsumerListing) => [name, slug];
  const { rows, ...neighbours } = pageOf(ctx, query, turn, { found, limit: PAGE, keyOf });
  const { total } = counted!;
  return { ...neighbours, consumers: rows, total: total <= MAX_COUNTED ? total : null };
}

function matches(sql: Ctx["sql"], query: string) {
  const part = containing(query);
  return sql`and (c.name ilike ${part} or c.slug ilike ${part} or a.company ilike ${part} or a.technical_contact_email ilike ${part}
    or c.id in (select m.consumer_id from members m join accounts p on p.id = m.account_id where p.email ilike ${part}))`;
}
