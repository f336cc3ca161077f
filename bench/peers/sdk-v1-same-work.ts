// The official SDK on Express doing what we do for a call, on the same database: key by SHA-256, an exact limit over all
// keys by rate-limiter-flexible, the coverage predicate, the same SQL, the usage row before the answer. Written as a good
// engineer would with that stack: pooled connections, prepared statements, one statement for each step, no ORM.
import { createHash, randomUUID } from "node:crypto";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import express, { type NextFunction, type Request, type Response } from "express";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import { z } from "zod";
import { connect } from "../../db/client";

const { sql } = connect(process.env.DATABASE_URL!, "bench-same-work");
const inputSchema = { store_id: z.uuid() };
const description = "Everything about one store: name, contact, address, opening hours, shipping and return policy.";

const limiter = new RateLimiterPostgres({
  storeClient: {
    query: async ({ text, values }: { text: string; values: never[] }) => {
      const rows = await sql.unsafe(text, values, { prepare: true });
      return { rows, rowCount: rows.length };
    },
  },
  storeType: "pool",
  tableName: "rate_limits",
  tableCreated: true,
  clearExpiredByTimeout: false,
  keyPrefix: "same-work",
  points: Number.MAX_SAFE_INTEGER,
  duration: 60,
});

interface Caller {
  key_id: string;
  consumer_id: string;
  scopes: string[];
  rate_limit: number;
  tier: string;
  coverage: string;
}
interface Call {
  caller: Caller;
  requestId: string;
  startedAt: number;
  bytes: number;
}

const refuse = (res: Response, status: number, message: string, headers: Record<string, string> = {}) =>
  res
    .status(status)
    .set(headers)
    .json({ jsonrpc: "2.0", id: null, error: { code: status, message } });

async function admit(req: Request, res: Response, next: NextFunction): Promise<void> {
  res.locals.startedAt = performance.now();
  const requestId = randomUUID();
  res.set("x-request-id", requestId);
  const token = /^Bearer (\S+)$/.exec(req.headers.authorization ?? "")?.[1];
  if (!token) return void refuse(res, 401, "Send your API key.");
  const hash = createHash("sha256").update(token).digest();
  const [caller] = await sql<Caller[]>`
    select k.id as key_id, c.id as consumer_id, c.rate_limit, c.tier, c.coverage,
      array(select unnest(c.scopes) intersect select unnest(k.scopes)) as scopes
    from keys k join consumers c on c.id = k.consumer_id
    where k.hash = ${hash} and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      and c.state not in ('revoked', 'under_review')`;
  if (!caller) return void refuse(res, 401, "The API key is not valid.");
  const counted = await limiter.consume(caller.consumer_id);
  if (counted.consumedPoints > caller.rate_limit) {
    return void refuse(res, 429, "Rate limit exceeded.", {
      "retry-after": String(Math.ceil(counted.msBeforeNext / 1000)),
    });
  }
  res.set(
    "ratelimit",
    `"default";r=${caller.rate_limit - counted.consumedPoints};t=${Math.ceil(counted.msBeforeNext / 1000)}`,
  );
  const bytes = Number(req.headers["content-length"] ?? 0);
  res.locals.call = { caller, requestId, startedAt: res.locals.startedAt, bytes } satisfies Call;
  next();
}

function newServer(call: Call): McpServer {
  const server = new McpServer({ name: "peer", version: "1.0.0" });
  server.registerTool("get_store_info", { description, inputSchema }, async ({ store_id }) => {
    const store = await storeInfo(call.caller, store_id);
    const answer = store
      ? { content: [{ type: "text" as const, text: JSON.stringify(store) }], structuredContent: store }
      : { content: [{ type: "text" as const, text: "This store is not available to you." }], isError: true };
    await record(call, store_id, answer.content[0]!.text.length);
    return answer;
  });
  return server;
}

async function storeInfo(
  { tier, coverage, consumer_id }: Caller,
  id: string,
): Promise<Record<string, unknown> | undefined> {
  const [store] = await sql`
    select s.id as store_id, s.name, s.legal_name, s.url, s.logo, s.description, s.address, s.country, s.currencies, s.languages,
      s.contact_point, s.opening_hours, s.payment_accepted, s.shipping_policy, s.return_policy, s.links, s.categories,
      s.is_demo, s.updated_at as data_as_of, array_remove(array[
        case when exists (select from products p where p.store_id = s.id) then 'offers' end,
        case when exists (select from promotions x where x.store_id = s.id and x.ends_at > now()) then 'promotions' end,
        case when exists (select from loyalty_programs x where x.store_id = s.id) then 'loyalty' end,
        case when exists (select from inventory_levels x where x.store_id = s.id) then 'inventory' end,
        case when exists (select from policies x where x.store_id = s.id) then 'policies' end], null) as capabilities
    from stores s where s.id = ${id} and (s.is_demo or (${tier === "production"} and s.ai_discovery
      and not exists (select from blocks b where b.consumer_id = ${consumer_id} and b.store_id = s.id)
      and (${coverage === "default_on"}
        or exists (select from grants g where g.consumer_id = ${consumer_id} and g.store_id = s.id))))`;
  return store;
}

const record = ({ caller, requestId, startedAt, bytes }: Call, storeId: string, responseBytes: number) => sql`
  insert into usage_events (request_id, at, consumer_id, key_id, endpoint, method, tool, store_id, status, latency_us, request_bytes, response_bytes)
  values (${requestId}, now(), ${caller.consumer_id}, ${caller.key_id}, 'api', 'tools/call', 'get_store_info', ${storeId}, 200,
    ${Math.round((performance.now() - startedAt) * 1000)}, ${bytes}, ${responseBytes})`;

const app = express();
app.disable("x-powered-by");
app.post("/api/mcp", admit, express.json({ limit: "256kb" }), async (req, res) => {
  const server = newServer(res.locals.call);
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  res.on("close", () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  await transport.handleRequest(req, res, req.body);
});
app.listen(Number(process.env.PORT), "127.0.0.1");
