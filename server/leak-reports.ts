// POST /api/secret-scanning: leaked keys, as GitHub's secret scanning partner program reports them. Whoever signs with a key
// that GitHub publishes is GitHub; a cookie or an API key says nothing here.
// https://docs.github.com/en/code-security/secret-scanning/secret-scanning-partner-program
import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { z } from "zod";
import { type Core, contextFor } from "./context";
import { DomainError, isOutage } from "./errors";
import * as leaks from "./services/leaks";

const KEPT_MS = 10 * 60_000;
/** GitHub is asked no more often than this, whatever is reported to us. */
const AGAIN_MS = 60_000;
const ANSWER_MS = 5_000;
const MAX_BYTES = 64 * 1024;

const Published = z.object({
  public_keys: z.array(z.object({ key_identifier: z.string(), key: z.string() })).max(100),
});

type PublicKeys = (id: string) => Promise<KeyObject | undefined>;

/** The keys published at an address, by id. Asks for them when there is need, and bounds both the wait and the answer. */
export function publishedKeys(url: string): PublicKeys {
  let known = new Map<string, KeyObject>();
  let [knownAt, askedAt] = [-Infinity, -Infinity];
  let asking: Promise<void> = Promise.resolve();

  async function ask(): Promise<void> {
    const { public_keys } = Published.parse(JSON.parse(await textOf(url)));
    known = new Map(public_keys.map(({ key_identifier, key }) => [key_identifier, createPublicKey(key)]));
    knownAt = performance.now();
  }

  return async (id) => {
    if (performance.now() - knownAt < KEPT_MS && known.has(id)) return known.get(id);
    if (performance.now() - askedAt >= AGAIN_MS) {
      askedAt = performance.now();
      asking = ask();
    }
    await asking.catch((cause) => {
      throw unavailable(cause);
    });
    return known.get(id);
  };
}

async function textOf(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS), redirect: "error" });
  if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new Error(`${url} answered with more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

interface LeakReport {
  request: Request;
  requestId: string;
  /** Of the client. */
  address: string;
}

/**
 * What answers to reports.
 * @param publicKeys of those whose reports are believed
 */
export function leakReports(core: Core, publicKeys: PublicKeys) {
  async function answer({ request, requestId, address }: LeakReport): Promise<Response> {
    await core.limits.leakReport(address);
    // The signature is over the bytes as they came. The server bounds how many there are.
    const body = Buffer.from(await request.arrayBuffer());
    await requireSignature(request.headers, body, publicKeys);
    const findings = findingsIn(body);
    const labels = await leaks.report(contextFor(core, { kind: "system" }, requestId), findings);
    return Response.json(
      findings.map(({ token, type }, i) => ({
        token_hash: createHash("sha256").update(token).digest("hex"),
        token_type: type,
        label: labels[i],
      })),
    );
  }

  return async (report: LeakReport): Promise<Response> => {
    try {
      return await answer(report);
    } catch (error) {
      const told = isOutage(error) ? unavailable(error) : error;
      if (!(told instanceof DomainError)) throw error;
      const { code, message, details, cause } = told;
      if (cause) core.log.warn({ request_id: report.requestId, err: cause }, "leak report not taken");
      const wait = details.retry_after ?? (code === "unavailable" ? 60 : undefined);
      const headers = wait === undefined ? undefined : { "retry-after": String(wait) };
      return Response.json({ code, message, request_id: report.requestId }, { status: told.face.http, headers });
    }
  };
}

/** ECDSA over P-256 with SHA-256. @throws DomainError forbidden, unavailable */
async function requireSignature(headers: Headers, body: Buffer, publicKeys: PublicKeys): Promise<void> {
  const id = headers.get("github-public-key-identifier");
  const signature = headers.get("github-public-key-signature");
  const key = id && signature ? await publicKeys(id) : undefined;
  const isCurve = key?.asymmetricKeyDetails?.namedCurve === "prime256v1";
  if (!key || !isCurve || !verify("sha256", body, key, Buffer.from(signature!, "base64"))) {
    throw new DomainError(
      "forbidden",
      "The report is not signed with a key that GitHub publishes for secret scanning.",
    );
  }
}

/** @throws DomainError invalid_input */
function findingsIn(body: Buffer): leaks.Finding[] {
  try {
    return leaks.Findings.parse(JSON.parse(body.toString("utf8")));
  } catch {
    // Not as a cause: what is wrong with it would quote it.
    throw new DomainError("invalid_input", "Send a JSON array of {token, type, url, source}.");
  }
}

const unavailable = (cause: unknown) =>
  new DomainError("unavailable", "The report cannot be checked right now. Send it again in a minute.", { cause });
