// The demo in the midst of its life: something stands on every page, and every state that a page has is somewhere.
import { members } from "../../db/schema/consumers";
import { merchantMembers } from "../../db/schema/merchants";
import * as decisions from "../../server/services/agent-decisions";
import * as invitations from "../../server/services/invitations";
import * as review from "../../server/services/review";
import * as terms from "../../server/services/terms";
import * as rollup from "../../server/services/usage-rollup";
import { tools } from "../../server/tools";
import { callTool, issueKey } from "./clients";
import type { TestDatabase } from "./database";
import { makeAccount, makeConsumer, makeStore } from "./factories";
import { signIn } from "./roles";
import { untilRecorded } from "./usage";

/** Takes a database with the demo, and the URL of a server on it. Gives a Cookie header for each of the demo's people. */
export async function enliven(database: TestDatabase, url: string) {
  const { sql } = database;
  const people = await sql<{ id: string; email: string; passwordVersion: number }[]>`
    select id, email, password_version as "passwordVersion" from accounts where email like '%@demo.example'`;
  const person = (role: string) => people.find(({ email }) => email === `${role}@demo.example`)!;
  const operator = database.as({ kind: "operator" as const, accountId: person("operator").id });
  const [demo] = await sql`select id from consumers where slug = 'demo'`;
  const [store] = await sql`select id, merchant_id as "merchantId" from stores where slug = 'ridgeline-supply'`;

  // A platform that is live, one that a merchant blocks, and some that wait.
  const live = await makeConsumer(database, { name: "Trail Guide", state: "production_requested" });
  const blocked = await makeConsumer(database, { name: "Price Hawk", state: "production_requested" });
  for (const { slug, version } of [live, blocked]) {
    await review.approveProduction(operator, {
      slug,
      version,
      coverage: "default_on",
      scopes: ["catalog:read", "offers:read", "promotions:read", "loyalty:read", "inventory:read"],
      rateLimit: 600,
      maxKeys: 5,
      utmSource: slug,
      directorySlug: `${slug}-apps`,
    });
  }
  await makeConsumer(database, { name: "Kind Reader", state: "under_review" });
  await makeConsumer(database, { name: "Quick Cart", state: "production_requested" });
  const merchant = database.as({
    kind: "merchant" as const,
    accountId: person("merchant").id,
    merchantId: store!.merchantId,
  });
  await decisions.block(merchant, { store: "ridgeline-supply", platform: blocked.slug });
  await invitations.send(operator, { merchantId: store!.merchantId, email: "new@merchant.example" });
  await makeStore(database, { name: "Ridgeline Winter", merchant: { id: store!.merchantId } });
  // Their people look after another one each.
  const { merchantId } = await makeStore(database, { name: "Westward Tents" });
  await database.db.insert(merchantMembers).values({ merchantId, accountId: person("merchant").id });
  await database.db.insert(members).values({ consumerId: live.id, accountId: person("owner").id, role: "developer" });

  // Calls that succeed, and calls that do not.
  for (const consumerId of [demo!.id as string, live.id]) {
    const { value } = await issueKey(database, consumerId);
    for (const { name } of tools) await callTool(url, value, name, {});
    await callTool(url, value, "search_products", { query: "tent" });
    await callTool(url, value, "get_store_info", { store_id: store!.id });
  }
  await untilRecorded(database);
  await rollup.rollUp(operator);

  // The keys are from before the new terms, which wait to be accepted.
  const version = "2027-01-01";
  await terms.publish(operator, {
    version,
    body: "# Terms\n\nBe kind.",
    after: (await terms.current(operator)).version,
  });

  const cookies: Record<string, string> = { newcomer: await signIn(database, await makeAccount(database)) };
  for (const role of ["owner", "operator", "merchant"]) cookies[role] = await signIn(database, person(role));
  return cookies;
}
