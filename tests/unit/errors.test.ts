import { describe, expect, it } from "vitest";
import { DomainError, isOutage, unavailable } from "../../server/errors";

it("an answer is no outage because somebody's own connection broke off, unless it says that we are away", () => {
  const cause = Object.assign(new Error("aborted"), { code: "ECONNRESET" });
  expect(isOutage(new DomainError("invalid_input", "The file broke off.", { cause }))).toBe(false);
  expect(isOutage(unavailable(cause))).toBe(true);
});

describe("an error of the database", () => {
  const ofTheWay = [
    "ECONNREFUSED",
    "ENOTFOUND",
    "EAI_AGAIN",
    "EHOSTUNREACH",
    "EHOSTDOWN",
    "ENETUNREACH",
    "EADDRNOTAVAIL",
  ];
  it.each(["08006", "53300", "57P01", "57014", "25006", "55P03", "40P01", ...ofTheWay])(
    "%s is an outage, for callers to try again",
    (code) =>
      expect(isOutage(Object.assign(new Error("Failed query"), { cause: Object.assign(new Error(), { code }) }))).toBe(
        true,
      ),
  );
  it("is an outage where a migration changed what a statement was prepared for, and no other of its kind", () => {
    const told = (routine: string) => Object.assign(new Error(), { code: "0A000", routine });
    expect([told("RevalidateCachedQuery"), told("transformTopLevelStmt")].map(isOutage)).toEqual([true, false]);
  });

  it.each(["23505", "42P01", "22P02"])("%s is a fault of the statement, not an outage", (code) =>
    expect(isOutage(Object.assign(new Error(), { code }))).toBe(false),
  );
});
