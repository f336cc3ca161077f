// Every error that a request's row can have is told in plain words, with its mend.
import { describe, expect, it } from "vitest";
import { outcomeOf, reasonFor, reasons, toOperators } from "../../app/usage/refusals";
import type { ErrorCode } from "../../server/errors";
import type { Refusal } from "../../server/services/key-admission";

/** Whether a row can have it. A new code must be placed here: the types ask for it. */
const codes: Record<ErrorCode | Refusal, boolean> = {
  revoked: true,
  expired: true,
  access_revoked: true,
  insufficient_scope: true,
  rate_limited: true,
  unknown_tool: true,
  invalid_arguments: true,
  cursor_invalid: true,
  store_not_available: true,
  product_not_found: true,
  no_loyalty_program: true,
  unavailable: true,
  // Nobody's, so in no row.
  missing_token: false,
  invalid_token: false,
  malformed: false,
  unknown: false,
  unknown_endpoint: false,
  // People's side.
  forbidden: false,
  not_found: false,
  conflict: false,
  invalid_input: false,
  terms_outdated: false,
  key_limit_reached: false,
  feed_refused: false,
};

describe("the reasons", () => {
  it("are told for every code that a row can have, and for those of JSON-RPC", () => {
    const wanted = Object.keys(codes).filter((code) => codes[code as ErrorCode]);
    expect(Object.keys(reasons).toSorted()).toEqual(
      [...wanted, "internal_error", "interrupted", "invalid_params", "method_not_found"].toSorted(),
    );
  });

  it("tell operators what an operator can do, and nothing that is for a platform's members", () => {
    expect(Object.keys(toOperators).toSorted()).toEqual(Object.keys(reasons).toSorted());
    for (const code of [...Object.keys(reasons), "new_code"]) {
      const { title, why, mend } = reasonFor(code, "operator");
      expect(mend, code).not.toBe(reasonFor(code, "member").mend);
      expect(`${title} ${why} ${mend}`, code).not.toMatch(/\byou\b|\bask\b|Overview|Keys page|Coverage|send us/i);
    }
  });

  it("ask nobody for another key where none was used", () => {
    for (const endpoint of ["playground", "directory"])
      for (const reader of ["member", "operator"] as const) {
        const { title, mend } = reasonFor("insufficient_scope", reader, endpoint);
        expect(title).toBe("The platform lacks the tool's scope");
        expect(mend).not.toMatch(/\bkey\b/);
      }
    expect(reasonFor("insufficient_scope", "member", "api").mend).toContain("Use a key with the scope");
  });

  it("have words for a code that nobody foresaw", () => {
    expect(reasonFor("new_code", "member").mend).toContain("request id");
  });

  it.each([
    [{ status: 200, errorCode: null }, "Answered"],
    [{ status: 200, errorCode: "invalid_arguments" }, "Error"],
    [{ status: 401, errorCode: "revoked" }, "Refused 401"],
    [{ status: 500, errorCode: "internal_error" }, "Failed 500"],
    [{ status: 500, errorCode: "interrupted" }, "Interrupted"],
  ])("tell apart what was answered, refused and failed: %j", (request, label) => {
    expect(outcomeOf(request).label).toBe(label);
  });
});
