// Jobs that the database wakes when a transaction leaves them something to do. One channel for all: while the database is
// away, the driver asks for each channel anew at each attempt, and keeps what it has asked.
import { sql as raw, type SQL } from "drizzle-orm";

export const CHANNEL = "jobs";

export type Woken = "mail" | "feed-loads" | "feed-sources" | "feed-index";

/** The statement that wakes a job once its transaction commits. */
export const wake = (job: Woken): SQL => raw`select pg_notify(${CHANNEL}, ${job})`;
