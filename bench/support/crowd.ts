// A busy year in a database: beside the demo 10,000 platforms, 100,000 stores of 10,000 merchants, and 10,000,000
// requests, half of them the demo platform's. Made in SQL, since only the reading of it is measured.
import { seed } from "../../server/seed";
import { partitioned } from "../../server/services/partitions";
import { deltas, grains } from "../../server/services/usage-rollup";
import type { Database } from "./place";

const MERCHANTS = 10_000;
const STORES = 100_000;
const CONSUMERS = 10_000;
const EVENTS = 10_000_000;
/** Whose the other half of the requests are. */
const BUSY = 20;
const DAYS = partitioned.usage_events;
const BATCH = 500_000;

/** Fills a migrated database; some minutes. */
export async function crowd(database: Database, say: (text: string) => void): Promise<void> {
  await seed(database.as({ kind: "system" }));
  const { sql } = database;
  const [demo] = await sql<[{ id: string }]>`
    update consumers set state = 'production', utm_source = 'demo' where slug = 'demo' returning id`;
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`
      insert into merchants (id, name) select md5('merchant ' || n)::uuid, 'Merchant ' || n from generate_series(1, ${MERCHANTS}::int) n`;
    await tx`
      insert into stores (id, merchant_id, slug, name, url, country, currency, currencies, categories, ai_discovery, product_count)
      select md5('store ' || n)::uuid, md5('merchant ' || 1 + n % ${MERCHANTS}::int)::uuid, 'store-' || n, 'Store ' || n,
        'https://store-' || n || '.example', (array['IE','DE','FR','US'])[1 + n % 4], 'EUR', '{EUR}', '{Home}', n % 20 <> 7, n % 1000
      from generate_series(1, ${STORES}::int) n`;
    await tx`
      insert into accounts (id, name, email, password_hash, email_verified_at)
      select md5('account ' || n)::uuid, 'Person ' || n, 'person-' || n || '@platform.example', '-', now()
      from generate_series(1, ${CONSUMERS}::int) n`;
    await tx`
      insert into consumers (id, slug, name, state, scopes, rate_limit, max_keys, utm_source)
      select md5('consumer ' || n)::uuid, 'platform-' || n, 'Platform ' || n,
        (array['under_review','sandbox','production_requested','production','production'])[1 + n % 5], '{catalog:read}', 60, 2, 'platform-' || n
      from generate_series(1, ${CONSUMERS}::int) n`;
    await tx`
      insert into members (consumer_id, account_id, role)
      select md5('consumer ' || n)::uuid, md5('account ' || n)::uuid, 'owner' from generate_series(1, ${CONSUMERS}::int) n`;
    await tx`
      insert into applications (id, account_id, consumer_id, product_name, company, website, platform, expected_requests_per_day, technical_contact_email, shopper_use)
      select gen_random_uuid(), md5('account ' || n)::uuid, md5('consumer ' || n)::uuid, 'Platform ' || n, 'Company ' || n, 'https://platform.example', 'Web',
        1000, 'person@platform.example', 'To shop' from generate_series(1, ${CONSUMERS}::int) n`;
    await tx`insert into blocks (consumer_id, store_id) select ${demo.id}, md5('store ' || n * 300)::uuid from generate_series(1, 300) n`;
  });
  say("  10,000 platforms and 100,000 stores made");
  for (let day = 0; day <= DAYS; day++) await sql.unsafe(partition(day));
  for (let from = 0; from < EVENTS; from += BATCH) {
    await sql.begin(async (tx) => {
      await tx`set local statement_timeout = 0`;
      await tx`set local session_replication_role = replica`;
      await tx`
        insert into usage_events (request_id, at, consumer_id, endpoint, method, tool, store_id, status, error_code, latency_us,
          request_bytes, response_bytes, client_name, locale)
        select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 19))::uuid, at,
          case when n % 2 = 0 then ${demo.id} else md5('consumer ' || 1 + n % ${BUSY}::int)::uuid end, 'api', 'tools/call',
          (array['search_products','get_product','get_store_info','list_stores','get_offers'])[1 + n % 5],
          md5('store ' || 1 + n / 7 % 40)::uuid, case when n % 50 = 0 then 429 else 200 end,
          case when n % 50 = 0 then 'rate_limited' when n % 40 = 1 then 'invalid_arguments' end, 1000 + n % 20000, 200, 2000,
          'agent-' || n % 9, (array['en','de','fr'])[1 + n % 3]
        from (select n, now() - n * interval '${tx.unsafe(String((DAYS * 86_400_000) / EVENTS))} milliseconds' as at
          from generate_series(${from + 1}::int, ${from + BATCH}::int) n) e`;
    });
    say(`  ${(from + BATCH).toLocaleString("en")} requests made`);
  }
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`set local work_mem = '512MB'`;
    await tx`
      insert into usage_rollups (consumer_id, grain, at, dimension, value, calls, errors, refused, buckets, counts)
      ${deltas(sql, sql`(select *, 1 as times from usage_events)`, grains)}`;
  });
  const one = await sql.reserve();
  await one`set statement_timeout = 0`;
  await one`vacuum analyze`;
  await one`reset statement_timeout`;
  one.release();
  say("  counted");
}

function partition(daysAgo: number): string {
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  const name = `usage_events_${day(daysAgo).replaceAll("-", "")}`;
  return `create table if not exists ${name} partition of usage_events for values from ('${day(daysAgo)}') to ('${day(daysAgo - 1)}')`;
}
