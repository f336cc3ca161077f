// What the command line sets of a platform.
import { describe, expect, it } from "vitest";
import { commandLine } from "../support/aisle";
import { issueKey } from "../support/clients";
import { TEST_SECRET, testDatabase } from "../support/database";
import { makeConsumer } from "../support/factories";

const database = testDatabase();
const aisle = commandLine(() => ({ NODE_ENV: "production", DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET }));
const rowOf = async (id: string) => {
  const [row] = await database.sql`select scopes, utm_source, directory_slug from consumers where id = ${id}`;
  return row;
};

describe("consumer set", () => {
  it("takes no empty list of scopes, which would end every call of the platform", async () => {
    const { id, slug, scopes } = await makeConsumer(database);
    const { code, stderr } = await aisle("consumer", "set", "--consumer", slug, "--scopes", "");
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("Choose at least one scope.") });
    expect(await rowOf(id)).toMatchObject({ scopes });
  });

  it("issues a directory endpoint in production alone, where there is one", async () => {
    const { id, slug } = await makeConsumer(database);
    const issue = (...more: string[]) =>
      aisle("consumer", "set", "--consumer", slug, "--directory-slug", slug, ...more);
    expect(await issue()).toMatchObject({
      code: 1,
      stderr: "A directory endpoint can be issued once the platform is in production.\n",
    });
    expect(await rowOf(id)).toMatchObject({ directory_slug: null });
    expect(await issue("--tier", "production")).toMatchObject({ code: 0 });
    expect(await rowOf(id)).toMatchObject({ directory_slug: slug });
  });

  it("takes back the credit and the endpoint where they are given empty", async () => {
    const { id, slug } = await makeConsumer(database, {
      state: "production",
      utmSource: "guide",
      directorySlug: "guide",
    });
    expect(
      await aisle("consumer", "set", "--consumer", slug, "--utm-source", "", "--directory-slug", ""),
    ).toMatchObject({ code: 0 });
    expect(await rowOf(id)).toEqual(expect.objectContaining({ utm_source: slug, directory_slug: null }));
  });
});

describe("key list", () => {
  it("says of a platform without access that its keys are refused, but for those that ended by themselves", async () => {
    const { id, slug } = await makeConsumer(database);
    const [used, revoked] = [await issueKey(database, id), await issueKey(database, id)];
    await database.sql`update keys set revoked_at = now() where id = ${revoked.id}`;
    const states = async () => {
      const { stdout } = await aisle("key", "list", "--consumer", slug, "--json");
      const listed: { id: string; state: string }[] = JSON.parse(stdout);
      return [used, revoked].map((key) => listed.find((row) => row.id === key.id)!.state);
    };
    expect(await states()).toEqual(["active", "revoked"]);
    await database.sql`update consumers set state = 'revoked', revoked_from = 'sandbox' where id = ${id}`;
    expect(await states()).toEqual(["refused", "revoked"]);
  });
});
