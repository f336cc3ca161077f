// The whole way in real Chromium, three people at once: a platform goes live, merchants hear of it and have their say,
// an operator has the last word. The key stays the same throughout.
import { describe, expect, it } from "vitest";
import * as digests from "../../server/services/digests";
import { expectAccessible } from "../support/accessible";
import { testBrowser } from "../support/browser";
import { callTool, issueKey, rpc } from "../support/clients";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant } from "../support/factories";
import { testServer } from "../support/server";
import { testSmtp } from "../support/smtp";
import { mailingTo } from "../support/visitor";

const database = testDatabase(DEMO_TEMPLATE);
const smtp = testSmtp();
const server = testServer(database, mailingTo(smtp));
const { openAs } = testBrowser(server, database);

describe("going live", () => {
  it("opens two more stores to the same key, tells their merchants once, and ends when they or an operator say so", async () => {
    const consumer = await makeConsumer(database, { name: "Trail Guide", rateLimit: 1000 });
    const { value: key } = await issueKey(database, consumer.id);
    const call = async (name: string, args: unknown) => (await callTool(server.url, key, name, args)).json.result;
    const readable = async (): Promise<string[]> =>
      (await call("list_stores", {})).structuredContent.stores.map((store: { name: string }) => store.name);
    const [theirs] = await database.sql<{ id: string; slug: string; name: string; merchantId: string }[]>`
      select id, slug, name, merchant_id as "merchantId" from stores where slug = 'ridgeline-supply'`;
    const store = theirs!;
    const { accountId, email } = await makeMerchant(database, store.merchantId).then(async ({ accountId }) => ({
      accountId,
      email: (await database.sql`select email from accounts where id = ${accountId}`)[0]!.email as string,
    }));

    const [owner, operator, merchant] = [
      await openAs(consumer.owner),
      await openAs(await makeAccount(database, { isOperator: true })),
      await openAs({ id: accountId }),
    ];
    const coverage = async () => {
      await owner.goto("/console/coverage");
      return owner.locator("main").innerText();
    };

    // Asked for, and approved with a directory endpoint
    expect((await call("search_products", { query: "tent" })).isError).toBeFalsy();
    expect(await readable()).toHaveLength(1);
    expect(await coverage()).not.toContain(store.name);
    await expectAccessible(owner, "Coverage in sandbox");
    await owner.goto("/console");
    await owner.getByRole("button", { name: "Request production access" }).click();
    await owner.getByText("Requested. An operator reviews it").waitFor();
    await operator.goto(`/admin/review/${consumer.slug}`);
    await operator.getByLabel("Directory endpoint").fill(`${consumer.slug}-apps`);
    await operator.getByRole("button", { name: "Approve for production" }).click();
    await operator.getByText("approved production access").first().waitFor();
    expect(await readable()).toHaveLength(3);
    expect(await coverage()).toContain(store.name);
    await expectAccessible(owner, "Coverage in production");

    // The platform's credit is in every link
    const found = (await call("search_products", { query: "tent", limit: 20 })).structuredContent.products;
    expect(found.length).toBeGreaterThan(3);
    for (const { product_url } of found) {
      expect(new URL(product_url).searchParams.get("utm_source")).toBe(consumer.slug);
    }

    // Each store's merchant has one notification, and one digest mail
    const told = await database.sql`
      select s.slug, count(*)::int as times from notifications n join stores s on s.id = n.store_id
      where n.consumer_id = ${consumer.id} group by s.slug order by s.slug`;
    expect(told.map(({ times }) => times)).toEqual([1, 1, 1]);
    await merchant.goto("/merchant/notifications");
    await merchant.getByText("Trail Guide").first().waitFor();
    await expectAccessible(merchant, "Notifications");
    await database.sql`update notifications set created_at = now() - interval '8 days' where consumer_id = ${consumer.id}`;
    const system = database.as({ kind: "system" });
    await Promise.all([digests.send(system), digests.send(system)]);
    await smtp.arrived(email);
    const digest = await database.sql`select from outbox where recipient = ${email} and template = 'merchant-digest'`;
    expect(digest).toHaveLength(1);

    // The merchant blocks, and unblocks
    const agent = `/merchant/agents/${consumer.slug}?store=${store.slug}`;
    const info = async () => {
      const result = await call("get_store_info", { store_id: store.id });
      return result.isError ? JSON.parse(result.content[0].text).code : "read";
    };
    expect(await info()).toBe("read");
    await merchant.goto(agent);
    await expectAccessible(merchant, "AI Agent");
    await merchant.getByRole("link", { name: "Block: Trail Guide" }).click();
    await merchant.getByRole("button", { name: "Block", exact: true }).click();
    await merchant.getByRole("button", { name: "Unblock: Trail Guide" }).waitFor();
    expect(await info()).toBe("store_not_available");
    expect(await readable()).not.toContain(store.name);
    expect(await coverage()).not.toContain(store.name);
    await merchant.getByRole("button", { name: "Unblock: Trail Guide" }).click();
    await merchant.getByRole("link", { name: "Block: Trail Guide" }).waitFor();
    expect(await info()).toBe("read");

    // Explicit coverage reads what was granted, and nothing else
    await operator.goto(`/admin/consumers/${consumer.slug}`);
    await operator.getByLabel(/Explicit/).check();
    await operator.getByRole("button", { name: "Save" }).click();
    await operator.getByText("Saved. It applies from the next request.").first().waitFor();
    expect(await readable()).toHaveLength(1);
    await merchant.goto(agent);
    await merchant.getByRole("button", { name: "Grant access: Trail Guide" }).click();
    await merchant.getByRole("link", { name: "Withdraw grant: Trail Guide" }).waitFor();
    expect(await readable()).toContain(store.name);
    expect(await readable()).toHaveLength(2);

    // Rejected: at once
    await operator.goto(`/admin/consumers/${consumer.slug}`);
    await operator.getByRole("link", { name: "Revoke access" }).click();
    await operator.getByLabel("Reason").fill("Prices were altered.");
    await operator.getByRole("button", { name: "Revoke access" }).click();
    await operator.getByText("Access has been revoked. Every key is refused.").first().waitFor();
    const refused = await rpc(server.url, key, "ping");
    expect([refused.status, refused.json.error.data.reason]).toEqual([401, "access_revoked"]);
    await owner.goto("/console");
    await owner.getByText("Prices were altered.").first().waitFor();
  });
});
