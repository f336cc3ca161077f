// The one transaction that a load runs in, from its first row to its audit record.
import { sql as raw } from "drizzle-orm";
import type postgres from "postgres";
import type { Database, Sql } from "../../../db/client";
import { turns } from "../turns";

export type Transaction = postgres.TransactionSql<{ bigint: number }>;

/** Each holds a connection that agents' calls could use: so few run at once, and the others wait without one. */
const inTurn = turns(2);

const lockOf = (storeId: string) => `feed:${storeId}`;

/** Does `work` in a transaction that may take long. What changes one store's catalogue follows each other, on all instances. */
export const loading = <T>(sql: Sql, storeId: string, work: (tx: Transaction) => Promise<T>) =>
  inTurn(() =>
    sql.begin(async (tx) => {
      await tx`set local statement_timeout = 0`;
      await tx`set local lock_timeout = 0`;
      await tx`select pg_advisory_xact_lock(hashtextextended(${lockOf(storeId)}, 0))`;
      return work(tx);
    }),
  );

/** Lets no load of a store begin until `tx` ends. @returns false where one is under way, which it goes on being */
export async function holdLoads(tx: Pick<Database, "execute">, storeId: string): Promise<boolean> {
  const [row] = await tx.execute<{ held: boolean }>(
    raw`select pg_try_advisory_xact_lock(hashtextextended(${lockOf(storeId)}, 0)) as held`,
  );
  return row!.held;
}
