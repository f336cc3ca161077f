// environment → database → pages → http; stops in reverse order.
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";
import type { ServerBuild } from "@remix-run/node";
import type { ViteDevServer } from "vite";
import { buildIfChanged } from "./build";
import { type Core, type Ctx, contextFor, type System } from "./context";
import { type Running, start } from "./core";
import { type Env, publicUrl, readEnv } from "./env";
import { reasonOf } from "./error-report";
import { DomainError } from "./errors";
import { createHttpServer } from "./http";
import { createInFlight, type InFlight } from "./in-flight";
import * as jobs from "./jobs";
import { listen } from "./listen";
import { abandonedEnded } from "./mcp/deadline";
import { seedWhereDue } from "./seed";
import * as demo from "./services/demo";
import * as mail from "./services/mail";
import { demoStore } from "./services/playground";
import * as retention from "./services/retention";
import { startWatch } from "./watch";

const DRAIN_MS = 10_000;
/** How long a connection that was opened at the last moment has to send its request. */
const LAST_REQUEST_MS = 500;
/** Signals that come so soon after the first are the same one. */
const SAME_SIGNAL_MS = 1_000;

async function main(): Promise<void> {
  /** What has to end before the process does: nothing, until something has begun. */
  let end: (signal: NodeJS.Signals) => Promise<void> = async () => {};
  // Before anything waits: the first process of a container gets no signal that it does not listen for.
  const isStopping = stopOnSignals((signal) => end(signal));
  const env = readEnv();
  // Libraries know no "local": for React and Express it is production.
  if (env.NODE_ENV === "local") process.env.NODE_ENV = "production";
  const development = env.NODE_ENV === "development";
  const building = development ? Promise.resolve(false) : buildIfChanged();
  building.catch(() => {}); // awaited below; until then the database comes up beside it
  let running: Running | undefined;
  try {
    running = await start(env, `aisle ${publicUrl(env)}`, "server", (release) => {
      end = release;
    });
    const { core, close } = running;
    endOnUncaught(core.log);
    /** What has to end before the database does: nothing, until something is served. */
    let leave: () => Promise<void> = async () => {};
    end = async (signal) => {
      core.log.info({ signal }, "stopping");
      await leave();
      await close();
    };
    await serve(running, env, building, (ending) => {
      leave = ending;
    });
  } catch (error) {
    // What a stop ends in its midst is no failure.
    if (isStopping()) return;
    await running?.close();
    throw error;
  }
}

/** What nobody caught ends the process, as it does by itself: but told as all else is, in the log, without the values that it quotes. */
function endOnUncaught(log: Core["log"]): void {
  process.on("uncaughtException", (error, origin) => {
    log.child({}, { level: "fatal" }).fatal({ err: error, origin }, "ended by an error that nobody caught");
    process.exit(1);
  });
}

/** Ends the process by itself where it is told to, with 0 once `end` is done. @returns whether it was told */
function stopOnSignals(end: (signal: NodeJS.Signals) => Promise<void>): () => boolean {
  let since: number | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, async () => {
      // A second signal means now; but npm passes Ctrl-C on to who has had it from the terminal already.
      if (since !== undefined) {
        if (performance.now() - since > SAME_SIGNAL_MS) process.exit(1);
        return;
      }
      since = performance.now();
      await end(signal);
      process.exit(0);
    });
  }
  return () => since !== undefined;
}

/** @param onServing is given what ends it, once there is something to end */
async function serve(
  running: Running,
  env: Env,
  building: Promise<unknown>,
  onServing: (leave: () => Promise<void>) => void,
): Promise<void> {
  await upkeep(running);
  if (running.embedded) await seedWhereDue(contextFor(running.core, { kind: "system" }));
  await building;

  const vite = env.NODE_ENV === "development" ? await startVite() : undefined;
  const inFlight = createInFlight();
  const watch = await startWatch(running.core, env);
  const server = createHttpServer({
    inFlight,
    core: running.core,
    env,
    watch,
    vite,
    build: vite ? () => vite.ssrLoadModule("virtual:remix/server-build") as Promise<ServerBuild> : await loadBuild(),
  });
  const { core } = running;
  core.baseUrl = publicUrl(env, await listen(server, "PORT", env.PORT, env.HOST));
  const working = jobs.start(core, { url: running.connections.url, transport: mailTransport(core, env) });
  working.ready.catch((error) => core.log.error({ err: error }, "jobs did not start"));
  onServing(async () => {
    await Promise.all([drain(server, inFlight, env.DRAIN_SECONDS), working.stop()]);
    await watch.stop();
    await vite?.close();
  });
  // Whoever reads this may send a signal.
  await greet(running, core.baseUrl);
  if (watch.metricsUrl) core.log.info({ url: watch.metricsUrl }, "metrics");
}

/** In production mail waits for an SMTP server; elsewhere /dev/mail shows it. */
function mailTransport(core: Core, env: Env): mail.Transport | undefined {
  if (env.SMTP_URL) return mail.smtp(env.SMTP_URL, env.MAIL_FROM!, env.SUPPORT_EMAIL);
  return env.NODE_ENV === "production" ? undefined : mail.local(core);
}

/** Once before serving, so that today has its partition; then hourly, by a job. */
async function upkeep({ core }: Running): Promise<void> {
  const ctx = contextFor(core, { kind: "system" });
  await retention.run(ctx).catch((error) => core.log.error({ err: error }, "upkeep failed"));
}

async function loadBuild(): Promise<ServerBuild> {
  return (await import(new URL("../build/server/index.js", import.meta.url).href)) as ServerBuild;
}

async function startVite(): Promise<ViteDevServer> {
  const { createServer } = await import("vite");
  const ours = process.listeners("SIGTERM");
  const vite = await createServer({ server: { middlewareMode: true } });
  // Remix's plugin starts a second one, which would end the process at once.
  for (const theirs of process.listeners("SIGTERM")) if (!ours.includes(theirs)) process.off("SIGTERM", theirs);
  return vite;
}

/**
 * Lets requests under way finish, also those whose clients went away, and those that were answered for taking too long.
 * @param seconds for how long it goes on answering, once more on each connection; then idle ones are closed
 */
async function drain(server: Server, inFlight: InFlight, seconds: number): Promise<void> {
  inFlight.leave();
  await sleep(seconds * 1000);
  // Lets in everybody who waits at the port: closing it would cut them off.
  await immediate();
  // Not http's own close, which also ends connections that were opened just now, with their request still on its way.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  if (seconds > 0) await sleep(LAST_REQUEST_MS);
  server.closeIdleConnections();
  const late = sleep(DRAIN_MS, undefined, { ref: false });
  void late.then(() => server.closeAllConnections());
  await closed;
  await Promise.race([inFlight.settled().then(abandonedEnded), late]);
}

/** In words beside the demo's log-ins; without the embedded database as a line of the log, whatever LOG_LEVEL is. */
async function greet({ core, embedded }: Running, url: string): Promise<void> {
  const served = `Aisle serves ${url}`;
  const ctx = contextFor(core, { kind: "system" });
  // It serves all the same.
  const unread = (error: unknown) => core.log.error({ err: error }, "the demo was not looked up");
  if (!embedded) {
    core.log.child({}, { level: "info" }).info(served);
    const warning = "there is no demo store, so sandboxes read nothing: run `aisle seed`";
    await demoStore(ctx).then((id) => id ?? core.log.warn(warning), unread);
    return;
  }
  const lines = [served, ...((await demoLines(ctx, url).catch(unread)) ?? [])];
  process.stdout.write(`${lines.join("\n")}\n\n`);
}

/** The demo's log-ins, and a call with its key. */
async function demoLines(ctx: Ctx<System>, url: string): Promise<string[]> {
  const lines: string[] = [];
  const { sign_ins } = await demo.describe(ctx, url);
  const key = await demo.freshKey(ctx).catch((error: unknown) => {
    if (error instanceof DomainError) return error;
    throw error;
  });
  if (sign_ins.length > 0) lines.push("", "Sign in as");
  lines.push(...sign_ins.map((one) => `  ${one.role.padEnd(10)} ${one.email.padEnd(24)} ${demo.passwordShown(one)}`));
  if (key instanceof DomainError) lines.push("", `No key for a call: ${key.message}`);
  else if (key) {
    const call =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_products","arguments":{"query":"tent","limit":3}}}';
    lines.push(
      "",
      "Call a tool",
      `  curl -s ${url}/api/mcp -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' -d '${call}'`,
    );
  }
  return lines;
}

main().catch((error) => {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
});
