import { describe, expect, it } from "vitest";
import { terms } from "../../db/schema/consumers";
import * as demo from "../../server/services/demo";
import * as admission from "../../server/services/key-admission";
import * as keys from "../../server/services/keys";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";

const database = testDatabase(DEMO_TEMPLATE);
const system = () => database.as({ kind: "system" });
const works = (value: string | undefined) =>
  admission.authenticate(database.as({ kind: "anonymous" }), value!).then(
    () => true,
    () => false,
  );
const print = () => demo.freshKey(system());

describe("the key that a start prints", () => {
  it("works beside the two before it, also where the consumer's other keys leave no more room", async () => {
    const printed = [await print(), await print(), await print()];
    const [consumer] = await database.sql<
      [{ id: string }]
    >`select id from consumers where slug = ${demo.DEMO_CONSUMER}`;
    const operator = database.as({ kind: "operator", accountId: null });
    for (let i = 0; i < 7; i++) await keys.issue(operator, { consumerId: consumer.id, name: `Newcomer's ${i}` });
    printed.push(await print());
    expect(await Promise.all(printed.map(works))).toEqual([false, true, true, true]);
  });

  it("costs no other its life where it cannot be issued", async () => {
    const printed = [await print(), await print(), await print()];
    await database.db.insert(terms).values({ version: "2099-01-01", body: "New." });
    expect(await print()).toBeUndefined();
    expect(await Promise.all(printed.map(works))).toEqual([true, true, true]);
  });
});
