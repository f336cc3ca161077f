import { TRPCError } from "@trpc/server";
import { DrizzleQueryError } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { withoutValues } from "../../server/error-report";

describe("a logged error", () => {
  const cause = Object.assign(new Error("duplicate key"), { detail: "Key (email)=(ada@example.com)" });
  const failed = new DrizzleQueryError("insert into accounts values ($1)", ["ada@example.com"], cause);
  const wrapped = new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: failed, message: failed.message });

  const step = new Error("x", { cause: wrapped });
  it.each([failed, wrapped, step, new AggregateError([step, cause], "y")])(
    "has the statement and no value of it",
    (error) => {
      const told = JSON.stringify(withoutValues(error));
      expect(told).toContain("insert into accounts");
      expect(told).toContain("duplicate key");
      expect(told).not.toContain("ada@example.com");
    },
  );
});
