// The one transaction that a load runs in, from its first row to its audit record.
import type postgres from "postgres";
import type { Sql } from "../../../db/client";
import { turns } from "../turns";

export type Transaction = postgres.TransactionSql<{ bigint: number }>;

/** Each holds a connection that agents' calls could use: so few run at once, and the others wait without one. */
const inTurn = turns(2);

/** Does `work` in a transaction that may take long. What changes one store's catalogue follows each other, on all instances. */
export const loading = <T>(sql: Sql, storeId: string, work: (tx: Transaction) => Promise<T>) =>
  inTurn(() =>
    sql.begin(async (tx) => {
      await tx`set local statement_timeout = 0`;
      await tx`set local lock_timeout = 0`;
      await tx`select pg_advisory_xact_lock(hashtextextended(${`feed:${storeId}`}, 0))`;
      return work(tx);
    }),
  );
