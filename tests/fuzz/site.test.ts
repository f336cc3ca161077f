// The site under whatever is sent: forms to every page's action, queries to every page, inputs to every procedure, by
// people of every role.
import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { appRouter } from "../../server/trpc/router";
import { broken, damaged, encode, fitting, hostile, type Json, junk } from "../support/arbitraries";
import { issueKey } from "../support/clients";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeConsumer, makeMerchant } from "../support/factories";
import { makeStoreWith } from "../support/feed";
import { type Asked, ask, expectSane, fuzz, fuzzedServer } from "../support/fuzzing";
import { makePerson, signIn } from "../support/roles";
import { builtRoutes, type Route } from "../support/routes";

const database = testDatabase(DEMO_TEMPLATE);
const server = fuzzedServer(database);

/** What a visitor is, and what is theirs. */
interface Visitor {
  cookie: string | undefined;
  /** Ids, slugs and names that exist. */
  given: string[];
}

/** Anew now and then: some of what is sent ends a session, an account or a consumer. */
const EACH_SERVES = 60;
let visits = 0;
let making: Promise<Visitor[]>;

async function makeVisitors(): Promise<Visitor[]> {
  const consumer = await makeConsumer(database, { maxKeys: 1000 });
  const { id: keyId } = await issueKey(database, consumer.id);
  const store = await makeStoreWith(database, [{ id: "tent" }, { id: "stove" }]);
  const merchant = await makeMerchant(database, store.merchantId);
  const other = await makeConsumer(database, { state: "production" });
  const given = [consumer.slug, consumer.id, keyId, store.id, store.slug, store.merchantId, other.slug, "tent"];
  const operator = await makePerson(database, "operator", consumer.id);
  return [
    { cookie: undefined, given },
    { cookie: await signIn(database, consumer.owner), given },
    { cookie: operator.cookie, given: [...given, operator.accountId!, consumer.owner.id, consumer.owner.email] },
    { cookie: await signIn(database, { id: merchant.accountId }), given },
    { cookie: "aisle=nonsense", given },
  ];
}

async function visitorFor(at: number): Promise<Visitor> {
  if (visits++ % EACH_SERVES === 0) making = makeVisitors();
  const visitors = await making;
  return visitors[at % visitors.length]!;
}

/** A place for something that exists, filled in once the visitor is known. */
const EXISTING = "\u{f0000}";
const existing = fc.nat(8).map((at) => `${EXISTING}${at}`);
const filledIn = (text: string, given: string[], encoded = (value: string) => value) =>
  text.replaceAll(/\u{f0000}(\d)/gu, (_, at) => encoded(given[Number(at) % given.length]!));

let routes: Record<string, Route>;
beforeAll(async () => {
  routes = await builtRoutes();
});

const isPage = ({ id }: Route) => !id.startsWith("routes/api.");

function pathOf(id: string): { parts: string[]; index: boolean } {
  const parts: string[] = [];
  for (let route = routes[id]; route; route = routes[route.parentId ?? ""]) {
    if (route.path) parts.unshift(...route.path.split("/"));
  }
  return { parts, index: routes[id]!.index ?? false };
}

/** What stands between quotes in a page's source, and in what it imports: names of fields, intents, choices. */
function wordsOf(id: string): string[] {
  const app = new URL("../../app/", import.meta.url);
  const source = (name: string) => {
    const file = [".tsx", ".ts", ".server.ts", ".server.tsx"].map((end) => new URL(name + end, app)).find(existsSync);
    return file ? readFileSync(file, "utf8") : "";
  };
  const page = source(id);
  const imported = [...page.matchAll(/from "~\/(?!ui\/)([^"]+)"/g)].map(([, name]) => source(name!));
  const quoted = [page, ...imported].join("\n").matchAll(/"([a-zA-Z][\w-]{0,30}(?:\[\])?)"|\bvalues\.(\w+)/g);
  return [...new Set([...quoted].map(([, text, name]) => text ?? name!))];
}

const forms = { urlencoded: "application/x-www-form-urlencoded", multipart: "multipart/form-data; boundary=x" };
type Fields = [name: string, value: string][];

const urlencoded = (fields: Fields) => new URLSearchParams(fields).toString();
const multipart = (fields: Fields) =>
  `${fields.map(([name, value]) => `--x\r\ncontent-disposition: form-data; name="${name.replaceAll('"', "")}"${value.length > 30 ? '; filename="f.tsv"' : ""}\r\n\r\n${value}\r\n`).join("")}--x--\r\n`;

/** A request to a page: its path, and a form or a query that its source gives words for. */
function visitTo(route: Route): fc.Arbitrary<Omit<Asked, "headers"> & { type: string | undefined; who: number }> {
  const { parts, index } = pathOf(route.id);
  const words = wordsOf(route.id);
  const word = words.length > 0 ? fc.constantFrom(...words) : fc.constant("intent");
  const value = fc.oneof(
    { weight: 3, arbitrary: word },
    { weight: 3, arbitrary: existing },
    { weight: 3, arbitrary: hostile },
    fc.constantFrom(
      "",
      "1",
      "0",
      "-1",
      "12.50",
      "2026-09-26",
      "2026-09-26T10:00",
      "a@b.example",
      "https://x.example/f.tsv",
      "[]",
      "{}",
    ),
  );
  const fields: fc.Arbitrary<Fields> = fc
    .tuple(
      fc.constantFrom("intent", "about"),
      word,
      fc.array(fc.tuple(fc.oneof({ weight: 8, arbitrary: word }, hostile), value), { maxLength: 12 }),
    )
    .map(([by, intent, rest]) => [[by, intent], ...rest]);
  const path = fc
    .tuple(
      ...parts.map((part) =>
        /^[:*]/.test(part)
          ? fc.oneof({ weight: 3, arbitrary: existing }, hostile, fc.constantFrom("new", "x"))
          : fc.constant(part),
      ),
    )
    .map((all) => `/${all.map((part) => encodeURIComponent(part.toWellFormed()).slice(0, 2_000)).join("/")}`)
    // Escapes that are cut in two are the edge's own business.
    .map((text) => text.replaceAll(/%[0-9A-F]?$|(%[C-F][0-9A-F](%[89AB][0-9A-F]){0,2})$/g, ""));
  const end = fc.constantFrom("", ".data");
  const who = fc.nat(4);
  const ask = fc.tuple(path, end, fields, who).map(([at, suffix, query, by]) => ({
    method: "GET",
    path: `${at}${at === "/" ? "" : suffix}?${urlencoded(query).slice(0, 4_000)}`,
    type: undefined,
    who: by,
  }));
  if (!route.module.action) return ask;
  const body = fc.oneof(
    { weight: 6, arbitrary: fields.map((all) => ({ type: forms.urlencoded, body: encode(urlencoded(all)) })) },
    { weight: 2, arbitrary: fields.map((all) => ({ type: forms.multipart, body: encode(multipart(all)) })) },
    fc
      .tuple(
        fc.constantFrom(...Object.values(forms), "text/plain", "application/json", "multipart/form-data", ""),
        damaged(fields.map((all) => encode(multipart(all) + urlencoded(all)))),
      )
      .map(([type, bytes]) => ({ type, body: bytes })),
  );
  const post = fc.tuple(path, end, body, who).map(([at, suffix, { type, body: bytes }, by]) => ({
    method: "POST",
    path: `${at}${at === "/" ? "" : suffix}${index ? "?index" : ""}`,
    type,
    body: bytes,
    who: by,
  }));
  return fc.oneof({ weight: 4, arbitrary: post }, ask);
}

/** Networks of their own, so that none spends another's tries. */
let network = 0;
function headersFor({ cookie }: Visitor, type: string | undefined): Record<string, string> {
  network++;
  return {
    host: new URL(server.url).host,
    origin: server.url,
    "x-forwarded-for": `10.${(network >> 16) & 255}.${(network >> 8) & 255}.${network & 255}`,
    ...(cookie === undefined ? {} : { cookie }),
    ...(type === undefined ? {} : { "content-type": type }),
  };
}

const encodedForm = (text: string) => encodeURIComponent(text);

describe("the site stands", () => {
  it("whatever form or query is sent to its pages", async () => {
    const pages = Object.values(routes).filter(
      (route) => isPage(route) && (route.module.loader || route.module.action),
    );
    const acting = pages.filter(({ module }) => module.action);
    const visits = fc.oneof(
      { weight: 4, arbitrary: fc.oneof(...acting.map(visitTo)) },
      { weight: 1, arbitrary: fc.oneof(...pages.map(visitTo)) },
    );
    await fuzz(server, "forms", 0.06, visits, async ({ method, path, type, body, who }) => {
      const visitor = await visitorFor(who);
      const mark = encodeURIComponent(EXISTING);
      const withExisting = (text: string) => filledIn(text.replaceAll(mark, EXISTING), visitor.given, encodedForm);
      const sent =
        body === undefined
          ? undefined
          : Buffer.from(
              withExisting(
                Buffer.from(body).toString("latin1").replaceAll(Buffer.from(EXISTING).toString("latin1"), EXISTING),
              ),
              "latin1",
            );
      expectSane(
        await ask(server.url, { method, path: withExisting(path), headers: headersFor(visitor, type), body: sent }),
      );
    });
  });

  it("whatever input a procedure gets, alone or in a batch", async () => {
    const procedures = appRouter._def.procedures as unknown as Record<
      string,
      { _def: { type: "query" | "mutation"; inputs: z.ZodType[] } }
    >;
    const inputs = ([name, { _def }]: [string, (typeof procedures)[string]]) => {
      const schemas = _def.inputs.map((schema) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
      // Places for what exists stand for themselves until the visitor is known.
      const whole =
        schemas.length > 0
          ? fitting(
              schemas[0] as object,
              Array.from({ length: 9 }, (_, at) => `${EXISTING}${at}`),
            )
          : junk;
      return fc
        .oneof(whole, broken(whole), broken(whole), junk)
        .map((input) => ({ name, input, isQuery: _def.type === "query" }));
    };
    const calls = fc.oneof(...Object.entries(procedures).map(inputs));
    const queries = fc.oneof(
      ...Object.entries(procedures)
        .filter(([, { _def }]) => _def.type === "query")
        .map(inputs),
    );
    const sent = fc.record({
      calls: fc.oneof(
        { weight: 6, arbitrary: calls.map((call) => [call]) },
        { weight: 1, arbitrary: fc.array(queries, { minLength: 2, maxLength: 11 }) },
      ),
      who: fc.nat(4),
      damage: fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, damaged(fc.constant(encode('{"0":{"a":1}}')))),
    });
    await fuzz(server, "procedures", 0.14, sent, async ({ calls: asked, who, damage }) => {
      const visitor = await visitorFor(who);
      const isBatch = asked.length > 1;
      const input: Json = isBatch ? Object.fromEntries(asked.map((call, at) => [at, call.input])) : asked[0]!.input;
      const text = damage?.toString("latin1") ?? filledIn(JSON.stringify(input), visitor.given);
      const path = `/api/trpc/${asked.map(({ name }) => name).join(",")}`;
      const headers = headersFor(visitor, "application/json");
      const query = `${isBatch ? "batch=1&" : ""}input=${encodeURIComponent(text.toWellFormed())}`;
      const answer = asked[0]!.isQuery
        ? await ask(server.url, { method: "GET", path: `${path}?${query.slice(0, 8_000)}`, headers })
        : await ask(server.url, { method: "POST", path, headers, body: text });
      expectSane(answer);
      const told = JSON.parse(answer.text);
      for (const each of Array.isArray(told) ? told : [told]) {
        expect(each.error?.data?.code, answer.text).not.toBe("internal_error");
      }
    });
  });

  it("whatever address is asked for", async () => {
    const piece = fc.oneof(
      hostile.map((text) => encodeURIComponent(text.toWellFormed())),
      fc.constantFrom(
        "%00",
        "%2e%2e",
        "..",
        ".",
        "",
        "console",
        "admin",
        "merchant",
        "assets",
        "docs",
        "api",
        "trpc",
        "_root.data",
        "%5c",
        ";",
        "@",
        ":",
        "*",
        "~",
        "$1",
      ),
    );
    const address = fc.record({ pieces: fc.array(piece, { maxLength: 6 }), query: hostile, who: fc.nat(4) });
    await fuzz(server, "addresses", 0.03, address, async ({ pieces, query, who }) => {
      const visitor = await visitorFor(who);
      const path = `/${pieces.join("/")}?${encodeURIComponent(query.toWellFormed())}`.slice(0, 9_000);
      expectSane(
        await ask(server.url, {
          method: "GET",
          path: path.replaceAll(/%[0-9A-F]?$/g, ""),
          headers: headersFor(visitor, undefined),
        }),
      );
    });
  });
});
