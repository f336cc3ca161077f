// The Coverage page as a browser without scripts sees it.
import { describe, expect, it } from "vitest";
import { blocks, grants } from "../../db/schema/merchants";
import { callTool, issueKey } from "../support/clients";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeStore } from "../support/factories";
import { logins } from "../support/logins";
import { testServer } from "../support/server";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(database);
const { makeTeam } = logins(database, server);

describe("Coverage", () => {
  it("says in sandbox why there is one store", async () => {
    const { owner } = await makeTeam();
    const page = await owner.get("/console/coverage");
    expect(page.words).toContain("In sandbox there is one store: the demo store");
    expect(page.words).toMatch(/Tarn & Timber.* Demo store/);
    expect(page.words).not.toContain("Ridgeline");
    expect(page.html).not.toMatch(/ style="/);
  });

  it("lists in production what the tools answer on, with reasons, and drops what a merchant blocks", async () => {
    const { consumer, owner } = await makeTeam({ state: "production" });
    const { value } = await issueKey(database, consumer.id);
    const store = await makeStore(database, { name: "Zebra & Zinc", country: "NZ" });
    const listed = await owner.get("/console/coverage?q=zinc");
    expect(listed.words).toContain("Default-on coverage");
    expect(listed.words).toContain(`Zebra & Zinc${store.id}`);
    expect(listed.words).toContain("New Zealand");
    const before = await callTool(server.url, value, "get_store_info", { store_id: store.id });
    expect(before.json.result.structuredContent.name).toBe("Zebra & Zinc");

    await database.db.insert(blocks).values({ consumerId: consumer.id, storeId: store.id });
    const blocked = await callTool(server.url, value, "get_store_info", { store_id: store.id });
    expect(blocked.json.result.isError).toBe(true);
    expect((await owner.get("/console/coverage?q=zinc")).words).toContain("No store matches");
    const ended = await owner.get("/console/coverage?view=ended");
    expect(ended.words).toMatch(/Zebra & Zinc .*New Zealand .*just now/);
    expect(/<main.*<\/main>/s.exec(ended.html)![0].replace(/Default-on coverage: [^<]*/, "")).not.toMatch(
      /blocked|withdr|AI Discovery/i,
    );
  });

  it("goes through many stores page by page, and keeps the search", async () => {
    const { owner } = await makeTeam({ state: "production" });
    for (let i = 0; i < 60; i++) await makeStore(database, { name: `Paged ${String(i).padStart(2, "0")}` });
    const first = await owner.get("/console/coverage?q=paged&country=IE");
    expect(first.words).toContain("50 of 60 stores");
    expect(first.words).not.toContain("Paged 50");
    const link = (html: string, label: string) =>
      new RegExp(`href="([^"]+)"[^>]*>(?:(?!</a>).)*${label}`, "s").exec(html)?.[1]?.replaceAll("&amp;", "&");
    const second = await owner.get(link(first.html, "Next")!);
    expect(second.words).toContain("Paged 59");
    expect(second.words).toContain("10 of 60 stores");
    const back = await owner.get(link(second.html, "Previous")!);
    expect(back.words).toContain("Paged 00");
  });

  it("can be searched from a last page with one store, too", async () => {
    const { consumer, owner } = await makeTeam({ state: "production", coverage: "explicit" });
    // With the demo store there are 51.
    for (let i = 0; i < 50; i++) {
      const { id: storeId } = await makeStore(database);
      await database.db.insert(grants).values({ consumerId: consumer.id, storeId });
    }
    const first = await owner.get("/console/coverage");
    const [, next] = /href="([^"]*cursor=[^"]+)"/.exec(first.html)!;
    const last = await owner.get(next!.replaceAll("&amp;", "&"));
    expect(last.words).toContain("1 of 51 stores");
    expect(last.html).toContain('aria-label="Search by name"');
  });

  it("explains explicit coverage, review and revocation", async () => {
    const explicit = await makeTeam({ state: "production", coverage: "explicit" });
    expect((await explicit.owner.get("/console/coverage")).words).toMatch(
      /Explicit coverage: .* granted it access, and the demo store\./,
    );
    const waiting = await makeTeam({ state: "under_review" });
    const told = (await waiting.owner.get("/console/coverage")).words;
    expect(told).toContain("No store can be read yet");
    expect(told).not.toContain("Tarn & Timber");
    const revoked = await makeTeam({ state: "revoked", revokedFrom: "production" });
    expect((await revoked.owner.get("/console/coverage")).words).toContain("Access was revoked: no store can be read");
  });
});
