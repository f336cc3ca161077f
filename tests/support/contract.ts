// What every tool must do, whatever it answers. Each tool in server/tools/index.ts is put through all of it: a new tool
// needs its example and nothing else here.
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { scopes } from "../../server/context";
import { runAsMember } from "../../server/mcp/playground";
import * as keys from "../../server/services/keys";
import { descriptor } from "../../server/tools/descriptor";
import { exampleFor, type Tool } from "../../server/tools/tool";
import { callTool, issueKey, makeCaller, rpc } from "./clients";
import { type TestDatabase, testCore } from "./database";
import type { TestServer } from "./server";
import { untilRecorded } from "./usage";

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);

/** Does an answer fit its tool's schema, with no field that the schema does not name? */
export const fitsOutput = (tool: Tool) =>
  ajv.compile(
    JSON.parse(JSON.stringify(tool.outputSchema), (_, value) =>
      value?.type === "object" ? { ...value, additionalProperties: false } : value,
    ),
  );

const everything = { scopes: [...scopes] };

const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** @param database with the demo loaded */
export function itKeepsTheContract(tool: Tool, database: TestDatabase, server: TestServer) {
  const example = async () => {
    const [store] = await database.sql<{ id: string }[]>`select id from stores where is_demo`;
    return exampleFor(tool, store!.id);
  };
  const call = async (key: string | undefined, args?: unknown) =>
    callTool(server.url, key, tool.name, args ?? (await example()));
  const listed = async (key: string): Promise<Record<string, unknown> | undefined> =>
    (await rpc(server.url, key, "tools/list")).json.result.tools.find(({ name }: Tool) => name === tool.name);

  describe(`${tool.name} keeps the contract`, () => {
    it("answers its example on the demo store, in sandbox, as its outputSchema says", async () => {
      const { key } = await makeCaller(database, everything);
      const { status, json } = await call(key);
      expect(status).toBe(200);
      expect(json.result.isError, json.result.content[0].text).toBeFalsy();
      const validate = fitsOutput(tool);
      expect(validate(json.result.structuredContent), JSON.stringify(validate.errors)).toBe(true);
      expect(JSON.parse(json.result.content[0].text)).toEqual(json.result.structuredContent);
      expect(ajv.validate(tool.inputSchema, await example())).toBe(true);
    });

    it("gives every product_url with the platform's credit", async () => {
      const { consumer, key } = await makeCaller(database, { ...everything, state: "production" });
      const { status, text } = await call(key);
      expect(status).toBe(200);
      const urls = [...text.matchAll(/"product_url":"([^"]+)"/g)].map(([, url]) => new URL(url!));
      expect(urls.length > 0).toBe(JSON.stringify(tool.outputSchema).includes('"product_url"'));
      for (const { searchParams } of urls) {
        expect(searchParams.getAll("utm_source")).toEqual([consumer.utmSource]);
        expect(searchParams.getAll("utm_medium")).toEqual(["ai_agent"]);
        expect(searchParams.getAll("utm_campaign")).toEqual([consumer.slug]);
        expect(searchParams.getAll("utm_content")).toHaveLength(1);
      }
      JSON.parse(text, (_, value) => {
        const { product_id, product_url } = value ?? {};
        if (product_id && product_url) expect(new URL(product_url).searchParams.get("utm_content")).toBe(product_id);
        return value;
      });
    });

    it("answers a member in the Playground as it answers their platform's key", async () => {
      const { consumer, key } = await makeCaller(database, everything);
      const member = { kind: "member", accountId: consumer.owner.id, consumerId: consumer.id, role: "owner" } as const;
      const config = { isAllowedOrigin: () => false, deadlineMs: 10_000 };
      for (const args of [await example(), { surprise: 1 }]) {
        const { json } = await call(key, args);
        const run = { tool: tool.name, arguments: JSON.stringify(args), asDirectory: false };
        const { response } = await runAsMember(testCore(database), config, member, run);
        expect(unnumbered(JSON.parse(response.body))).toEqual(unnumbered(json));
      }
    });

    it("refuses a call without a key, and with a revoked one", async () => {
      expect((await call(undefined)).status).toBe(401);
      const { key, keyId } = await makeCaller(database, everything);
      await keys.revoke(database.as({ kind: "operator", accountId: null }), { id: keyId });
      const reply = await call(key);
      expect(reply.status).toBe(401);
      expect(reply.json.error.data.code).toBe("invalid_token");
    });

    it("needs its scope, and is listed and served only with it", async () => {
      const { consumer, key } = await makeCaller(database, everything);
      const { value } = await issueKey(database, consumer.id, {
        scopes: scopes.filter((scope) => scope !== tool.scope),
      });
      const reply = await call(value);
      expect(reply.status).toBe(403);
      expect(reply.json.error.data.required_scope).toBe(tool.scope);
      expect(await listed(value)).toBeUndefined();
      expect(await listed(key)).toEqual(JSON.parse(descriptor(tool, false)));
    });

    it("stops at the rate limit", async () => {
      const { key } = await makeCaller(database, { ...everything, rateLimit: 1 });
      expect((await call(key)).status).toBe(200);
      expect((await call(key)).status).toBe(429);
    });

    it("refuses arguments that do not fit, by name, as a result that a model can mend", async () => {
      const { key } = await makeCaller(database, everything);
      const { status, json } = await call(key, { ...(await example()), surprise: 1 });
      expect(status).toBe(200);
      const error = JSON.parse(json.result.content[0].text);
      expect(error.code).toBe("invalid_arguments");
      expect(error.issues.map((issue: { path: string }) => issue.path)).toContain("surprise");
    });

    it("leaves one usage row a call, with the tool's name", async () => {
      const { consumer, key } = await makeCaller(database, everything);
      const { headers } = await call(key);
      await untilRecorded(database);
      const rows =
        await database.sql`select tool, status, request_id from usage_events where consumer_id = ${consumer.id}`;
      expect(rows).toMatchObject([{ tool: tool.name, status: 200, request_id: headers["x-request-id"] }]);
    });

    it("has a descriptor that clients and models can rely on, and is said to read and nothing else", async () => {
      const { key } = await makeCaller(database, everything);
      expect((await listed(key))!.annotations).toEqual(readOnly);
      expect(tool.name).toMatch(/^[a-z][a-z_]{2,63}$/);
      expect(tool.title.length).toBeGreaterThan(3);
      expect(tool.description.length).toBeGreaterThan(80);
      expect(tool.description.length).toBeLessThan(1200);
      for (const schema of [tool.inputSchema, tool.outputSchema]) {
        expect(schema).toMatchObject({ type: "object" });
        for (const banned of ["anyOf", "oneOf", "allOf", "$schema", "$ref"]) expect(schema).not.toHaveProperty(banned);
        expect(() => ajv.compile(schema)).not.toThrow();
      }
      expect(undescribed(tool.inputSchema)).toEqual([]);
      expect(openObjects(tool.inputSchema)).toEqual([]);
      expect(endless(tool.inputSchema)).toEqual([]);
    });
  });
}

/** An answer without the id of its request, which stands in the text of one that refuses. */
const unnumbered = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer).replaceAll(/\\"request_id\\":\\"[^"]+\\"/g, ""));

type Schema = { [key: string]: unknown; properties?: Record<string, Schema>; items?: Schema };

/** Every object in a schema, with its path. */
function* objects(schema: Schema, path = ""): Generator<[path: string, schema: Schema]> {
  if (schema.properties) yield [path, schema];
  for (const [name, inner] of Object.entries(schema.properties ?? {}))
    yield* objects(inner, path ? `${path}.${name}` : name);
  if (schema.items) yield* objects(schema.items, `${path}[]`);
}

const undescribed = (schema: Schema) =>
  [...objects(schema)].flatMap(([path, { properties }]) =>
    Object.entries(properties!)
      .filter(([, property]) => typeof property.description !== "string")
      .map(([name]) => `${path}.${name}`),
  );

const openObjects = (schema: Schema) =>
  [...objects(schema)].filter(([, object]) => object.additionalProperties !== false).map(([path]) => path);

/** Texts and lists of any length. */
function endless({ type, properties, items, ...schema }: Schema, path = ""): string[] {
  const bounds = type === "array" ? ["maxItems"] : type === "string" ? ["maxLength", "enum", "format", "pattern"] : [];
  return [
    ...(bounds.length > 0 && !bounds.some((bound) => bound in schema) ? [path] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) => endless(inner, `${path}.${name}`)),
    ...(items ? endless(items, `${path}[]`) : []),
  ];
}
