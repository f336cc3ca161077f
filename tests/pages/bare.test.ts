// An installation for others before anything was loaded or set up: no demo store, no mail server.
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { consumers } from "../../db/schema/consumers";
import { tools } from "../../server/tools";
import { callTool, issueKey } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeStore } from "../support/factories";
import { logins } from "../support/logins";
import { signIn } from "../support/roles";
import { startServer, testServer } from "../support/server";
import { newVisitor, visitorAs } from "../support/visitor";

const database = testDatabase();
const server = testServer(database);
const { logIn, makeTeam } = logins(database, server);

const makeOperator = async () => logIn(await makeAccount(database, { isOperator: true }));
/** That a store is there, or is the one that something is about. */
const CLAIM = /(on|opens|reads?|call|with|and) the demo store/i;

describe("without a demo store", () => {
  it("no page says that tools read it, in any state of a platform", async () => {
    for (const state of consumers.state.enumValues) {
      const { owner } = await makeTeam({ state, ...(state === "revoked" && { revokedFrom: "production" as const }) });
      for (const path of ["/console", "/console/coverage", "/console/docs/get_store_info"])
        expect((await owner.get(path)).words, `${path} of ${state}`).not.toMatch(CLAIM);
    }
    const person = await logIn(await makeAccount(database));
    const applying = await person.get("/apply");
    expect(applying.words).toContain("Apply for access");
    expect(applying.words).not.toMatch(CLAIM);
    const stranger = newVisitor(server.url);
    for (const path of ["/", ...tools.map(({ name }) => `/docs/${name}`)])
      expect((await stranger.get(path)).words, path).not.toMatch(CLAIM);
    expect((await stranger.get("/docs/get_store_info")).words).toContain("There is no demo store here yet");
  });

  it("a call that reads nothing is no first call on it: production is offered once there is one", async () => {
    const { consumer, owner } = await makeTeam();
    const key = await issueKey(database, consumer.id);
    expect((await callTool(server.url, key.value, "list_stores", {})).status).toBe(200);
    const waiting = (await owner.get("/console")).words;
    expect(waiting).toContain("There is no demo store yet to call a tool on. An operator loads it.");
    expect(waiting).toContain("3 of 5 steps done");
    expect(waiting).not.toContain("You can request production access.");
    expect((await owner.post("/console?index", { intent: "request-production" })).status).toBe(409);

    const { id } = await makeStore(database, { is_demo: true });
    await callTool(server.url, key.value, "get_store_info", { store_id: id });
    const ready = (await owner.get("/console")).words;
    expect(ready).toContain("Keys work on the demo store.");
    expect(ready).toContain("You can request production access.");
    await database.sql`delete from stores where id = ${id}`;
  });

  it("the directory pack says that its prompts are about no store of this installation", async () => {
    const { owner, consumer } = await makeTeam({ state: "production", directorySlug: "bare" });
    const response = await fetch(`${server.url}/console/directory-pack?consumerId=${consumer.id}`, {
      headers: { cookie: await signIn(database, consumer.owner) },
    });
    const readme = strFromU8(unzipSync(new Uint8Array(await response.arrayBuffer()))["README.md"]!);
    expect(readme).not.toContain("always readable");
    expect(readme).toContain("which is not loaded here");
    expect((await owner.get("/console")).status).toBe(200);
  });
});
