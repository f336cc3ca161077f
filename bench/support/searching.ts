// A catalogue with a consumer that searches it: through our server, and with the statements alone.
import postgres from "postgres";
import { SEARCHES } from "../../db/client";
import type { Consumer } from "../../server/context";
import { prepare } from "../../server/pipeline";
import { searchProducts } from "../../server/tools/search-products";
import type { Bench } from "./bench";
import { BLOCKS, type Caller, call, HIGHEST_LIMIT, makeCaller } from "./callers";
import { newClient } from "./client";
import type { Database } from "./place";
import type { Contender } from "./processes";
import { drawQueries, type Query } from "./queries";
import { bytes } from "./wrk";

/** Distinct queries for each size. */
const QUERIES = 320;
/** Searches at once where a row has it so. */
export const AT_ONCE = 8;

export interface Searching {
  database: Database;
  aisle: Contender;
  caller: Caller;
  queries: Query[];
  /** Milliseconds of one call, over one of `AT_ONCE` connections that stay. @throws Error when it does not succeed */
  ask(query: Query): Promise<number>;
  close(): Promise<void>;
}

export async function searching({ place }: Bench, products: number): Promise<Searching> {
  const database = await place.catalogue(products);
  const caller = await makeCaller(database, "platform-search");
  const [row] = await database.sql`select count(*)::int as blocks from blocks where consumer_id = ${caller.id}`;
  if (row!.blocks !== BLOCKS) throw new Error(`The consumer has ${row!.blocks} blocks.`);
  const aisle = await place.serve(database);
  const clients = Array.from({ length: AT_ONCE }, () => newClient(aisle.url));
  const free = [...clients];
  async function ask(query: Query): Promise<number> {
    const client = free.pop()!;
    const { milliseconds, status, body } = await client.ask(
      bytes(aisle.url, call(caller.key, "search_products", query)),
    );
    free.push(client);
    if (status === 200 && body.includes('"structuredContent"')) return milliseconds;
    throw new Error(`${JSON.stringify(query)}: ${status} ${body.slice(0, 500)}`);
  }
  return {
    database,
    aisle,
    caller,
    queries: await drawQueries(database, QUERIES),
    ask,
    async close() {
      for (const client of clients) client.close();
      await aisle.stop();
    },
  };
}

export interface Statement {
  text: string;
  values: unknown[];
}

/** The statements that a search sends, and connections to send them again without anything around them. */
export async function bareSql({ database, caller }: Pick<Searching, "database" | "caller">) {
  let sent: Statement[] = [];
  const { host, pass, user } = socketOf(database.url);
  // `max_pipeline` is missing from the types.
  const options: postgres.Options<Record<string, postgres.PostgresType>> & { max_pipeline: number } = {
    path: host,
    username: user,
    password: pass,
    database: database.name,
    max: SEARCHES.max,
    connection: SEARCHES.settings,
    max_pipeline: 1,
    onnotice: () => {},
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
    debug: (_id, text, values, types) =>
      void sent.push({ text, values: values.map((value, i) => unwritten(value, types[i])) }),
  };
  const connection = postgres(options);
  await connection`select 1`; // with the first one it asks for the types that there are
  const actor: Consumer = {
    kind: "consumer",
    consumerId: caller.id,
    slug: caller.slug,
    tier: "production",
    coverage: "default_on",
    scopes: ["catalog:read"],
    rateLimit: HIGHEST_LIMIT,
    utmSource: caller.slug,
    endpoint: "api",
    keyId: null,
    accountId: null,
  };
  return {
    /** What a query becomes. */
    async statementsOf(query: Query): Promise<Statement[]> {
      sent = [];
      const sql = connection as unknown as Database["sql"];
      const ctx = { ...database.as(actor), sql, searches: sql };
      await prepare(ctx, searchProducts, query).run();
      const statements = sent;
      sent = [];
      return statements;
    },
    /** Milliseconds of its statements one after the other. */
    async run(statements: Statement[]): Promise<number> {
      const started = performance.now();
      for (const { text, values } of statements) await connection.unsafe(text, values as never[], { prepare: true });
      return performance.now() - started;
    },
    async explain({ text, values }: Statement): Promise<string> {
      const rows = await connection.unsafe(`explain (analyze, buffers, costs off) ${text}`, values as never[]);
      return whatRan(rows.map((row) => row["QUERY PLAN"] as string)).join("\n");
    },
    close: () => connection.end({ timeout: 1 }),
  };
}

/** Of a plan the steps that were taken: most of a search's are for queries of another kind. */
function whatRan(plan: string[]): string[] {
  const depth = (line: string | undefined) => line?.search(/\S/) ?? 0;
  let skipped = Number.POSITIVE_INFINITY;
  return plan
    .filter((line) => {
      if (depth(line) > skipped) return false;
      skipped = line.includes("(never executed)") ? depth(line) : Number.POSITIVE_INFINITY;
      return skipped === Number.POSITIVE_INFINITY && !/^\s*(Storage|Index Searches|Batches):/.test(line);
    })
    .filter((line, i, kept) => !/^\s*(InitPlan|SubPlan|CTE) \w+$/.test(line) || depth(kept[i + 1]) > depth(line));
}

const [BOOLEAN, JSON_TYPE, JSONB] = [16, 114, 3802];

/** A parameter that was already made ready to be sent, as it was before. */
function unwritten(value: unknown, type: unknown): unknown {
  if (type === BOOLEAN) return value === true || value === "t";
  return (type === JSON_TYPE || type === JSONB) && typeof value === "string" ? JSON.parse(value) : value;
}

function socketOf(url: string) {
  const { searchParams, username, password, port } = new URL(url);
  return { host: `${searchParams.get("host")}/.s.PGSQL.${port}`, user: username, pass: decodeURIComponent(password) };
}
