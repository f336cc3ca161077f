// The one transaction that a load runs in, from its first row to its audit record.
import type postgres from "postgres";

export type Transaction = postgres.TransactionSql<{ bigint: number }>;
