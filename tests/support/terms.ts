// Data-use terms that hold for one test: a new version holds up the keys of everybody in its database.
import { eq } from "drizzle-orm";
import { onTestFinished } from "vitest";
import { terms, termsAcceptances } from "../../db/schema/consumers";
import type { TestDatabase } from "./database";

/** A new version, in force until the test is over. */
export async function newTerms({ db }: TestDatabase, given: typeof terms.$inferInsert): Promise<void> {
  await db.insert(terms).values(given);
  onTestFinished(async () => {
    await db.delete(termsAcceptances).where(eq(termsAcceptances.version, given.version));
    await db.delete(terms).where(eq(terms.version, given.version));
  });
}
