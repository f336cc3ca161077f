// The floor: node:http and one point select by primary key, prepared. No protocol, no key, no limit, no usage.
import { createServer } from "node:http";
import { connect } from "../../db/client";

const { sql } = connect(process.env.DATABASE_URL!, "bench-bare");

createServer((req, res) => {
  if (req.method !== "POST") return void res.writeHead(405).end();
  const chunks: Buffer[] = [];
  req.on("data", (chunk) => chunks.push(chunk));
  req.on("end", async () => {
    const { params } = JSON.parse(Buffer.concat(chunks).toString());
    const [store] = await sql`select * from stores where id = ${params.arguments.store_id}`;
    const body = JSON.stringify(store);
    res.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body);
  });
}).listen(Number(process.env.PORT), "127.0.0.1");
