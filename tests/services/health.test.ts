// What a scrape shows of the work in the background.
import { expect, it } from "vitest";
import { standing } from "../../server/services/health";
import * as usage from "../../server/services/usage";
import { rollUp } from "../../server/services/usage-rollup";
import { testDatabase } from "../support/database";
import { makeReader } from "../support/factories";

const database = testDatabase();

it("requests that wait for the rollups are counted to the last one, those of a flood in one row too", async () => {
  const flooding = await makeReader(database, { keyId: crypto.randomUUID() });
  const at = new Date();
  const event = { method: "ping", latencyUs: 90, requestBytes: 1, responseBytes: 1, client: {} };
  const refused = { ...event, status: 429, errorCode: "rate_limited" };
  await Promise.all(Array.from({ length: 400 }, () => usage.record(database.as(flooding, at), refused)));
  const [rows] = await database.sql`select count(*)::int as n from usage_pending`;
  expect(rows!.n).toBeLessThan(400);
  expect(await standing(database)).toMatchObject({ usagePending: 400 });
  await rollUp(database);
  expect(await standing(database)).toMatchObject({ usagePending: 0 });
});
