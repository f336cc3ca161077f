// All that is stored about a person, for themselves: whatever has their address or leads to their account. Of secrets only
// that there are any. What deleting the account does to each of these is in deletion.ts.
import type { Ctx, SignedIn } from "../../context";
import { notFound } from "../../errors";
import * as audit from "../audit";
import type { Transaction } from "../feeds/transaction";
import { turns } from "../turns";

/** Of what grows with every click, the newest so many; `left_out` says how many there are besides. */
const MOST = 10_000;
/** More than the statements of calls have: all that somebody ever did is read. */
const LONGEST = "60s";

type Row = Record<string, unknown>;
interface Newest {
  rows: Row[];
  left_out: number;
}

/** Names are those of the database's columns; times are UTC. */
interface OwnData {
  account: Row;
  /** When two-factor authentication was turned on, and how many recovery codes are left; empty without. */
  second_factor: Row[];
  sessions: Row[];
  /** Links that were mailed, and log-ins that waited for a code: never their tokens. */
  links: Row[];
  /** Mails to the present address, of the last 30 days: which, and when. */
  mails: Row[];
  platforms: Row[];
  applications: Row[];
  terms_accepted: Row[];
  terms_published: Row[];
  keys: Row[];
  client_checks: Row[];
  merchants: Row[];
  invitations: { received: Row[]; sent: Row[] };
  decisions: { blocks: Row[]; grants: Row[] };
  catalogues: { loads: Row[]; sources: Row[] };
  /** Calls in the Playground of platforms that they belong to, of the last 90 days. */
  playground_calls: Newest;
  /** What they did, and what was done with their account. */
  audit: Newest;
}

/**
 * What a person may take away (GDPR, articles 15 and 20); the reading is recorded.
 * @throws DomainError rate_limited after 10 in an hour
 */
export async function ownData(ctx: Ctx<SignedIn>): Promise<OwnData> {
  const { accountId } = ctx.actor;
  await ctx.limits.ownData(accountId);
  await audit.record(ctx, ctx.db, { action: "account.take_data", target: ["account", accountId] });
  return inTurn(() => read(ctx));
}

/** One at a time: each holds a connection that other people's pages could use. */
const inTurn = turns(1);

/** As it stands at one moment. */
function read(ctx: Ctx<SignedIn>): Promise<OwnData> {
  const { accountId } = ctx.actor;
  return ctx.sql.begin("isolation level repeatable read read only", async (sql) => {
    await sql.unsafe(`set local statement_timeout = '${LONGEST}'`);
    const [account] = await sql<Row[]>`
      select id, name, email, created_at, email_verified_at, is_operator from accounts where id = ${accountId}`;
    if (!account) throw notFound("account");
    const of = { sql, accountId, email: account.email as string };
    return {
      account,
      ...(await logIns(of)),
      ...(await platforms(of)),
      ...(await merchants(of)),
      ...(await log(of)),
    };
  }) as Promise<OwnData>;
}

interface Of {
  sql: Transaction;
  accountId: string;
  email: string;
}

const logIns = async ({ sql, accountId, email }: Of) => ({
  second_factor: await sql`
    select enabled_at, (select count(*)::int from recovery_codes r where r.account_id = f.account_id) as recovery_codes
    from second_factors f where account_id = ${accountId} and enabled_at is not null`,
  sessions: await sql`
    select created_at, last_used_at, expires_at, user_agent, address from sessions
    where account_id = ${accountId} order by created_at`,
  links: await sql`
    select purpose, email, created_at, expires_at, used_at from account_tokens
    where account_id = ${accountId} order by created_at`,
  mails: await sql`
    select template, created_at, sent_at, dead_at from outbox where recipient = ${email} order by id`,
});

const platforms = async ({ sql, accountId, email }: Of) => ({
  platforms: await sql`
    select c.slug, c.name, m.role, m.granted_at, m.ends_at
    from members m join consumers c on c.id = m.consumer_id where m.account_id = ${accountId} order by c.slug`,
  applications: await sql`
    select c.slug as platform_slug, s.*, a.created_at,
      case when lower(a.technical_contact_email) = ${email} then a.technical_contact_email end as technical_contact_email
    from applications a join consumers c on c.id = a.consumer_id
    -- What it says by now is its platform's: for who works there.
    left join lateral (
      select a.product_name, a.company, a.website, a.platform, a.expected_requests_per_day, a.shopper_use, a.updated_at
      from members m where m.consumer_id = c.id and m.account_id = ${accountId} and (m.ends_at is null or m.ends_at > now())
    ) s on true
    where a.account_id = ${accountId} or lower(a.technical_contact_email) = ${email} order by a.created_at`,
  terms_accepted: await sql`
    select c.slug as platform_slug, t.version::text, t.accepted_at
    from terms_acceptances t join consumers c on c.id = t.consumer_id where t.account_id = ${accountId} order by 3`,
  terms_published: await sql`
    select version::text, published_at from terms where published_by = ${accountId} order by 1`,
  keys: await sql`
    select c.slug as platform_slug, k.name, k.start, k."end", k.created_at, k.revoked_at,
      k.created_by is not distinct from ${accountId} as created_by_you, k.revoked_by is not distinct from ${accountId} as revoked_by_you
    from keys k join consumers c on c.id = k.consumer_id
    where ${accountId} in (k.created_by, k.revoked_by) order by k.created_at`,
  client_checks: await sql`
    select created_at, expires_at, requests from doctor_checks where account_id = ${accountId} order by 1`,
});

const merchants = async ({ sql, accountId, email }: Of) => ({
  merchants: await sql`
    select m.name, mm.granted_at, mm.digest
    from merchant_members mm join merchants m on m.id = mm.merchant_id where mm.account_id = ${accountId} order by 1`,
  invitations: {
    received: await sql`
      select m.name as merchant, i.email, i.created_at, i.expires_at, i.accepted_at, i.withdrawn_at
      from merchant_invitations i join merchants m on m.id = i.merchant_id
      where i.email = ${email} order by i.created_at`,
    sent: await sql`
      select m.name as merchant, i.created_at, i.expires_at, i.accepted_at, i.withdrawn_at
      from merchant_invitations i join merchants m on m.id = i.merchant_id
      where i.created_by = ${accountId} order by i.created_at`,
  },
  decisions: {
    blocks: await sql`
      select c.slug as platform_slug, s.slug as store, b.created_at
      from blocks b join consumers c on c.id = b.consumer_id join stores s on s.id = b.store_id
      where b.created_by = ${accountId} order by b.created_at`,
    grants: await sql`
      select c.slug as platform_slug, s.slug as store, g.created_at
      from grants g join consumers c on c.id = g.consumer_id join stores s on s.id = g.store_id
      where g.created_by = ${accountId} order by g.created_at`,
  },
  catalogues: {
    loads: await sql`
      select s.slug as store, l.file_name, l.source, l.outcome, l.requested_at
      from feed_loads l join stores s on s.id = l.store_id where l.requested_by = ${accountId} order by l.requested_at`,
    sources: await sql`
      select s.slug as store, f.url, f.created_at
      from feed_sources f join stores s on s.id = f.store_id where f.created_by = ${accountId} order by f.created_at`,
  },
});

async function log({ sql, accountId }: Of) {
  const newest = async (all: ReturnType<typeof sql>): Promise<Newest> => {
    const rows = await sql<Row[]>`select * from (${all}) own order by at desc limit ${MOST}`;
    if (rows.length < MOST) return { rows, left_out: 0 };
    const [counted] = await sql<{ n: number }[]>`select count(*)::int as n from (${all}) own`;
    return { rows, left_out: counted!.n - rows.length };
  };
  return {
    playground_calls: await newest(sql`
      select u.at, u.request_id, c.slug as platform_slug, u.method, u.tool, u.status, u.error_code, a.arguments
      from members m join consumers c on c.id = m.consumer_id
        join usage_events u on u.consumer_id = m.consumer_id and u.account_id = m.account_id
        left join request_arguments a on a.at = u.at and a.request_id = u.request_id
      where m.account_id = ${accountId}`),
    audit: await newest(sql`
      select at, action, target_kind, target_id, before, after, request_id, actor_id is not distinct from ${accountId} as by_you
      from audit where actor_id = ${accountId} or (target_id = ${accountId} and target_kind = 'account')`),
  };
}
