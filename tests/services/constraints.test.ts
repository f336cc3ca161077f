// What the database itself refuses, whoever writes: the last guard of prices, keys, sessions and access.
import { beforeAll, describe, expect, it } from "vitest";
import { issueKey } from "../support/clients";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeConsumer } from "../support/factories";

const database = testDatabase(DEMO_TEMPLATE);
beforeAll(async () => {
  for (const state of ["production", "sandbox"] as const) {
    const { id } = await makeConsumer(database, { state });
    for (const _ of [1, 2]) await issueKey(database, id);
  }
});

const session =
  "insert into sessions (account_id, password_version, last_used_at, user_agent, address, id, expires_at)";
const token = "insert into account_tokens (account_id, email, expires_at, hash, purpose)";
const check = `insert into doctor_checks (id, consumer_id, account_id, created_at, token_hash, expires_at, requests)
  select gen_random_uuid(), consumer_id, account_id, now(),`;
const mail = "insert into outbox (id, message_id, recipient, template, data, next_attempt_at, sent_at)";
const period = `insert into coverage_periods (kind, consumer_id, store_id, began)
  select kind, consumer_id, store_id, now() from coverage_periods`;
const pair = "insert into coverage_periods (kind, consumer_id, store_id, began, ended) select 'block', c.id, s.id,";
const notification = `insert into notifications (id, consumer_id, store_id)
  select gen_random_uuid(), c.id, s.id from consumers c, stores s`;
const rollup = `insert into usage_rollups (consumer_id, grain, at, dimension, value, calls, errors, refused, buckets, counts)
  select id, 'day', now(), 'tool', 'x',`;
const recent = `insert into usage_recent (consumer_id, at, dimension, value, calls, errors, refused, buckets, counts)
  select id, now(), 'tool', 'x',`;
const begun = `insert into usage_begun (id, at, request_ids, times, key_ids, called)
  select gen_random_uuid(), now(), array[gen_random_uuid()],`;
const invitation = `insert into merchant_invitations (id, merchant_id, email, expires_at, hash, accepted_at, withdrawn_at)
  select gen_random_uuid(), id, 'a@shop.example', now(),`;
const sha256 = "sha256('x')";
const hex = `encode(${sha256}, 'hex')`;

describe("no row", () => {
  it.each([
    ["variants_prices", "update variants set price_amount = -1"],
    ["variants_prices", "update variants set sale_price_amount = -1"],
    ["variants_sale_window", "update variants set sale_starts_at = now(), sale_ends_at = now()"],
    ["variants_gtin_digits", "update variants set gtin = '4006381333931'"],
    ["stores_currency", "update stores set currency = 'XTS'"],
    ["stores_url", "update stores set url = 'javascript:alert(1)'"],
    ["stores_one_demo", "update stores set is_demo = true"],
    ["promotions_percent", "update promotions set percent_off = 101"],
    ["promotions_money", "update promotions set money_off_amount = 0"],
    ["promotions_window", "update promotions set ends_at = starts_at"],
    [
      "promotions_give_something",
      "update promotions set percent_off = null, money_off_amount = null, free_shipping = false",
    ],
    ["promotions_channel", "update promotions set redemption_channel = '{}'"],
    ["promotions_product_ids", "update promotions set product_ids = '{}'"],
    ["inventory_levels_quantity", "update inventory_levels set quantity = -1"],
    ["loyalty_tiers_numbers", "update loyalty_tiers set multiplier = 0"],
    ["loyalty_tiers_name", "update loyalty_tiers set name = 'Same'"],
    ["loyalty_earning_rules_points", "update loyalty_earning_rules set bonus_points = -1"],
    ["loyalty_programs_name", "update loyalty_programs set name = 'Same', is_primary = false"],
    ["loyalty_programs_one_primary", "update loyalty_programs set is_primary = true"],
    ["keys_one_active", "update keys set line = consumer_id"],
    ["keys_one_superseded", "update keys set line = consumer_id, superseded_at = now()"],
    ["keys_one_an_attempt", "update keys set attempt = consumer_id"],
    ["keys_hash_unique", `update keys set hash = ${sha256}`],
    ["keys_hash_is_sha256", "update keys set hash = 'plain'"],
    ["accounts_email_normalised", "update accounts set email = upper(email)"],
    ["accounts_sign_up_proof", `update accounts set sign_up_proof = ${sha256}, email_verified_at = now()`],
    ["consumers_limits", "update consumers set rate_limit = 0"],
    ["consumers_scopes", "update consumers set scopes = '{everything:read}'"],
    ["consumers_revoked_from", "update consumers set state = 'revoked', revoked_from = null"],
    ["consumers_production_has_utm_source", "update consumers set state = 'production', utm_source = null"],
    ["consumers_slug_unique", "update consumers set slug = 'same'"],
    ["consumers_state", "update consumers set state = 'anything'"],
    ["consumers_directory_slug", "update consumers set directory_slug = 'Not One'"],
    ["notifications_once", `${notification}, generate_series(1, 2)`],
    ["applications_accountId_unique", "update applications set account_id = (select id from accounts limit 1)"],
    ["coverage_periods_one_of_consumer", `${period} where store_id is null and consumer_id is not null`],
    ["coverage_periods_one_of_store", `${period} where consumer_id is null`],
    ["coverage_periods_one_of_pair", `${pair} now(), null from consumers c, stores s, generate_series(1, 2)`],
    ["coverage_periods_order", `${pair} now(), now() - interval '1 ms' from consumers c, stores s`],
    ["members_reviewer_ends", "update members set role = 'reviewer', ends_at = null"],
    ["members_reviewer_ends", "update members set role = 'reviewer', ends_at = granted_at + interval '91 days'"],
    ["members_reviewer_ends", "update members set role = 'owner', ends_at = now()"],
    ["members_role", "update members set role = 'anything', ends_at = null"],
    ["settings_one_row", "insert into settings select false as only"],
    ["settings_limits", "update settings set sandbox_rate_limit = 0"],
    ["merchants_digest", "update merchants set digest = 'hourly'"],
    ["feed_loads_finished", "update feed_loads set finished_at = null"],
    ["feed_sources_url", "insert into feed_sources (store_id, url) select id, 'file:///etc/passwd' from stores"],
    ["usage_rollups_parts", `${rollup} 1, 1, 1, '{}', '{}' from consumers`],
    ["usage_recent_parts", `${recent} 1, 1, 1, '{}', '{}' from consumers`],
    ["usage_recent_counts", `${recent} 1, 0, 0, '{7}', '{}' from consumers`],
    ["usage_begun_lengths", `${begun} '{}', '{}', '{tools/list}'`],
    ["usage_begun_lengths", `${begun} '{}', array[gen_random_uuid()], '{}'`],
    ["usage_begun_lengths", `${begun} array[now(), now()], array[gen_random_uuid()], '{tools/list}'`],
    ["merchant_invitations_settled_once", `${invitation} ${sha256}, now(), now() from merchants limit 1`],
    ["merchant_invitations_hash_is_sha256", `${invitation} 'plain', null, null from merchants limit 1`],
    ["sessions_id_is_sha256", `${session} select id, 1, now(), '', '', 'plain', now() from accounts`],
    [
      "sessions_at_most_30_days",
      `${session} select id, 1, now(), '', '', ${hex}, now() + interval '721 hours' from accounts limit 1`,
    ],
    ["account_tokens_hash_is_sha256", `${token} select id, email, now(), 'plain', 'reset' from accounts`],
    ["account_tokens_purpose", `${token} select id, email, now(), ${sha256}, 'anything' from accounts`],
    ["doctor_checks_hash_is_sha256", `${check} 'plain', now(), 0 from members`],
    ["doctor_checks_fifteen_minutes", `${check} ${sha256}, now() + interval '16 minutes', 0 from members`],
    ["doctor_checks_requests", `${check} ${sha256}, now(), 21 from members`],
    ["outbox_settled", `${mail} values (gen_random_uuid(), 'm', 'r', 't', '{"link": "secret"}', null, now())`],
    ["outbox_settled", `${mail} values (gen_random_uuid(), 'm', 'r', 't', '{}', now(), now())`],
  ])("breaks %s: %s", async (constraint, statement) => {
    await expect(database.sql.unsafe(statement)).rejects.toMatchObject({ constraint_name: constraint });
  });
});
