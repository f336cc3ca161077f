// What arrived at the client doctor, fit to be kept and shown: bounded, one line each, and without anything like a key.
import type { Exchange } from "./handle";
import { isObject, type Message } from "./jsonrpc";

const MAX_TEXT = 200;
const SECRET = /aisle_[0-9A-Za-z]*|\b(?:bearer|basic)\s+\S+/gi;

/** Text without control characters and keys, cut. */
export const safe = (text: string, most = MAX_TEXT): string =>
  text
    .replace(SECRET, "…")
    .slice(0, most)
    .replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}]+/gu, " ")
    .trim();

const shown: [label: string, header: string][] = [
  ["Content-Type", "content-type"],
  ["Accept", "accept"],
  ["MCP-Protocol-Version", "mcp-protocol-version"],
  ["Origin", "origin"],
  ["User-Agent", "user-agent"],
  ["Content-Encoding", "content-encoding"],
  ["Mcp-Session-Id", "mcp-session-id"],
];
/** Headers that are worth naming even when they are absent. */
const expected = new Set(["content-type", "accept"]);

/**
 * What a request had, as label and value, for the doctor's page.
 * @param keyForm what the key looked like; never the key
 * @param message the body, if it could be read
 */
export function arrivedFrom(
  { method, headers, body }: Exchange,
  keyForm: string,
  query: string,
  message: Message | undefined,
): [name: string, value: string][] {
  const lines = shown.flatMap(([label, header]): [string, string][] => {
    const value = headers[header];
    if (value === undefined) return expected.has(header) ? [[label, "none"]] : [];
    // A session's id may open something elsewhere.
    return [[label, header === "mcp-session-id" ? "present; ignored, since there are no sessions" : safe(value)]];
  });
  return [
    ["Method", safe(method)],
    ["Key", keyForm],
    ...lines,
    ...(query === "" ? [] : [["Query", "present; never read"] as [string, string]]),
    ["Body", body === null ? "more than 256 KiB" : `${body.byteLength} ${body.byteLength === 1 ? "byte" : "bytes"}`],
    ...told(message),
  ];
}

function told(message: Message | undefined): [string, string][] {
  if (!message) return [];
  if (message.kind !== "request") return [["Message", `a ${message.kind}`]];
  const params = isObject(message.params) ? message.params : {};
  const lines: [string, string][] = [["Message", safe(message.method)]];
  if (message.method === "tools/call" && typeof params.name === "string") lines.push(["Tool", safe(params.name)]);
  if (typeof params.protocolVersion === "string") lines.push(["protocolVersion", safe(params.protocolVersion)]);
  if (isObject(params.clientInfo)) {
    const { name, version } = params.clientInfo;
    lines.push(["clientInfo", safe([name, version].filter((text) => typeof text === "string").join(" "))]);
  }
  return lines;
}
