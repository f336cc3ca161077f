// Requests where they begin: what goes wrong there, and how far it reaches.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pino from "pino";
import { expect, it } from "vitest";
import { inTurn } from "../../server/in-turn";
import { exchange } from "../support/wire";

it("what throws where a request begins, in its turn or at once, is logged and ends its connection alone", async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const server = createServer((req, res) =>
    inTurn(log, req, res, ({ url }, answer) => {
      if (url === "/throws") throw new Error("by this test");
      answer.end("fine");
    }),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  try {
    const atOnce = await exchange(url, request("/throws"));
    expect([atOnce.answers.length, atOnce.closed]).toEqual([0, true]);
    const inItsTurn = await exchange(url, request("/") + request("/throws") + request("/"));
    expect([inItsTurn.answers.map(({ text }) => text), inItsTurn.closed]).toEqual([["fine"], true]);
    expect(await (await fetch(url)).text()).toBe("fine");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(
      Array(2).fill({ level: 50, msg: "internal error", err: { message: "by this test" } }),
    );
  } finally {
    server.close();
  }
});
