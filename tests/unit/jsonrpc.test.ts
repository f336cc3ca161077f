import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse, RpcError } from "../../server/mcp/jsonrpc";

const encode = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const outcome = (body: Uint8Array) => {
  try {
    return parse(body);
  } catch (error) {
    return error;
  }
};

describe("the JSON-RPC parser", () => {
  it("gives a message or one of its two refusals, whatever bytes come", () => {
    const anything = fc.oneof(fc.uint8Array(), fc.json().map(encode), fc.string({ unit: "binary" }).map(encode));
    fc.assert(
      fc.property(anything, (body) => {
        const result = outcome(body);
        if (result instanceof Error) {
          expect(result).toBeInstanceOf(RpcError);
          expect([-32700, -32600]).toContain((result as RpcError).rpcCode);
          expect((result as RpcError).http).toBe(400);
        } else expect(["request", "notification", "response"]).toContain((result as { kind: string }).kind);
      }),
      { numRuns: 2000 },
    );
  });

  it("keeps id, method and params of every well-formed request", () => {
    const id = fc.oneof(fc.string(), fc.maxSafeInteger());
    fc.assert(
      fc.property(
        id,
        fc.string(),
        fc.option(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), { nil: undefined }),
        (id, method, params) => {
          const sent = JSON.stringify({ jsonrpc: "2.0", id, method, params });
          const { params: echoed, ...rest } = JSON.parse(sent);
          expect(parse(encode(sent))).toEqual({ kind: "request", id: rest.id, method: rest.method, params: echoed });
        },
      ),
    );
  });

  it("takes 64 levels and refuses 65", () => {
    const nested = (levels: number) =>
      `{"jsonrpc":"2.0","id":1,"method":"m","params":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
    expect(outcome(encode(nested(64)))).toMatchObject({ kind: "request" });
    expect(outcome(encode(nested(65)))).toBeInstanceOf(RpcError);
    expect(outcome(encode(nested(65)))).toMatchObject({ rpcCode: -32600, id: 1 });
  });

  it("reads a doubled key as JSON.parse does: the last one counts, for checking and for running", () => {
    expect(parse(encode('{"jsonrpc":"2.0","id":1,"id":2,"method":"a","method":"b"}'))).toMatchObject({
      id: 2,
      method: "b",
    });
  });

  it.each([
    ["an error that is no object", '{"jsonrpc":"2.0","id":7,"error":"x"}'],
    ["an error of null", '{"jsonrpc":"2.0","id":7,"error":null}'],
    ["an error without a code", '{"jsonrpc":"2.0","id":7,"error":{"message":"x"}}'],
    ["an error without words", '{"jsonrpc":"2.0","id":7,"error":{"code":-32000}}'],
    ["params of a notification that are no structure", '{"jsonrpc":"2.0","method":"notifications/x","params":5}'],
    ["params of a notification that are null", '{"jsonrpc":"2.0","method":"notifications/x","params":null}'],
  ])("refuses %s", (_, text) => {
    expect(outcome(encode(text))).toMatchObject({ rpcCode: -32600, http: 400 });
  });

  it("takes errors and notifications that are whole", () => {
    const error = '{"code":-32000,"message":"x","data":1}';
    expect(outcome(encode(`{"jsonrpc":"2.0","id":7,"error":${error}}`))).toEqual({ kind: "response" });
    expect(outcome(encode(`{"jsonrpc":"2.0","id":null,"error":${error}}`))).toEqual({ kind: "response" });
    for (const params of ["{}", "[1]"])
      expect(outcome(encode(`{"jsonrpc":"2.0","method":"notifications/x","params":${params}}`))).toEqual({
        kind: "notification",
      });
  });

  it("is not fooled by __proto__", () => {
    expect(outcome(encode('{"__proto__":{"jsonrpc":"2.0","id":1,"method":"m"}}'))).toBeInstanceOf(RpcError);
  });
});
