import { describe, expect, it } from "vitest";
import { isOutage } from "../../server/errors";

describe("an error of the database", () => {
  it.each(["08006", "53300", "57P01", "57014", "25006", "55P03", "40P01", "ECONNREFUSED"])(
    "%s is an outage, for callers to try again",
    (code) =>
      expect(isOutage(Object.assign(new Error("Failed query"), { cause: Object.assign(new Error(), { code }) }))).toBe(
        true,
      ),
  );
  it.each(["23505", "42P01", "22P02"])("%s is a fault of the statement, not an outage", (code) =>
    expect(isOutage(Object.assign(new Error(), { code }))).toBe(false),
  );
});
