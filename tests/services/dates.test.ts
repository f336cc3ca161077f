import { describe, expect, it } from "vitest";
import { z } from "zod";
import { instant } from "../../server/cli/frame";
import { AuditFilter } from "../../server/services/audit-log";
import { Instant, Moment } from "../../server/services/fields";
import { IssueOwnKey } from "../../server/services/keys";
import { ListRequests } from "../../server/services/requests";
import { GetTerms, PublishTerms } from "../../server/services/terms";
import { testDatabase } from "../support/database";

const database = testDatabase();

const days = ["0000-01-01", "0001-01-01", "1899-12-31", "1900-01-01", "9998-12-31", "9999-12-31"];
const offsets = ["Z", "+23:59", "-23:59"];
const written = [
  ...days,
  ...days.flatMap((day) => ["00:00", "23:59", "23:59:59.999"].map((time) => `${day}T${time}`)),
  ...days.flatMap((day) => offsets.flatMap((zone) => [`${day}T00:00:00${zone}`, `${day}T23:59:59${zone}`])),
];

/** As an option of the command line, which refuses by throwing. */
const option = z.string().transform((text, ctx) => {
  try {
    return instant(text);
  } catch (refused) {
    ctx.addIssue((refused as Error).message);
    return z.NEVER;
  }
});

describe("a date, as far from today as it can be written", () => {
  it.each([
    ["Instant", Instant],
    ["Moment", Moment],
    ["an option of the command line", option],
    ["a key's expiry", IssueOwnKey.shape.expiresAt],
    ["the beginning of a part of the audit", AuditFilter.shape.from],
    ["its end", AuditFilter.shape.to],
    ["the beginning of a part of the log", ListRequests.shape.from],
    ["its end", ListRequests.shape.to],
    ["a version of the terms", GetTerms.shape.version],
    ["the version before", PublishTerms.shape.after],
  ])("is refused by name, or is one that the database takes: %s", async (_, schema) => {
    const taken: (Date | string)[] = [];
    for (const text of written) {
      const { success, data } = schema.safeParse(text);
      if (success && data) taken.push(data);
    }
    expect(taken.length).toBeGreaterThan(0);
    for (const at of taken) {
      const [row] = await database.sql`select ${at instanceof Date ? at.toISOString() : at}::text::timestamptz as at`;
      expect(row!.at).toEqual(new Date(at));
    }
  });

  it("may be the last day there is, which stands for “for ever”", () => {
    expect(Moment.parse("9999-12-31T23:59")).toEqual(new Date("9999-12-31T23:59Z"));
    expect(AuditFilter.parse({ from: "9999-12-31" }).from).toEqual(new Date("9999-12-31"));
  });
});
