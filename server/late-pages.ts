// A page waits for its loaders as long as the database answers; a server that stops waits for them in any case. Where too
// many are under way, none is begun.
import type { ServerBuild } from "@remix-run/node";
import type express from "express";
import type { Core } from "./context";
import { refusalBody } from "./edge";
import { unavailable } from "./errors";
import { isReady } from "./readiness";

/** Together with a look at the database, less than the three seconds in which everybody is answered while it is away. */
const LATE_MS = 1_000;

const PROCEDURES = "routes/api.trpc.$";
const { code, message, face } = unavailable(undefined);

/**
 * The build with its loaders and actions wrapped. Each is kept in `context.underWay`, since Remix forgets them when a client
 * leaves, while they go on; and each ends in a 503 once `context.tooLate` resolves. A file that nobody reads is dropped.
 */
export function waitedFor(build: ServerBuild): ServerBuild {
  type Run = NonNullable<ServerBuild["routes"][string]["module"]["loader"]>;
  const waited = (id: string, run: Run | undefined, isFile = false): Run | undefined =>
    run &&
    ((args) => {
      const { isBusy, isData, requestId, tooLate, explain, underWay } = args.context;
      if (isBusy) throw refusal(requestId);
      const isUnwanted = isFile && (isData || args.request.method === "HEAD");
      const work = Promise.resolve(run(args)).then((result) => (isUnwanted ? withoutBody(result, isData) : result));
      underWay.push(work);
      const late = tooLate.then(() => {
        explain(unavailable(new Error("not answered in time, and the database does not answer either")));
        throw id === PROCEDURES ? procedureRefusal(requestId) : refusal(requestId);
      });
      return Promise.race([work, late]);
    });
  const routes = Object.entries(build.routes).map(([id, route]) => {
    const { loader, action } = route.module;
    const wrapped = { loader: waited(id, loader, !("default" in route.module)), action: waited(id, action) };
    return [id, { ...route, module: { ...route.module, ...wrapped } }] as const;
  });
  return { ...build, routes: Object.fromEntries(routes) };
}

/**
 * What is left of a file that nobody reads: of a HEAD its headers. No script of ours asks for a file as data, which Remix would
 * hold in memory whole.
 * @throws Response 404, where it was asked for as data
 */
async function withoutBody(result: unknown, isData: boolean): Promise<unknown> {
  if (!(result instanceof Response) || !result.body) return result;
  await result.body.cancel();
  if (isData) throw new Response(null, { status: 404 });
  return new Response(null, result);
}

/** The 503 of a page. */
const refusal = (requestId: string) => Response.json({ message, code, requestId }, { status: face.http });
/** The 503 of a procedure, as tRPC's client and other programs read it. */
const procedureRefusal = (requestId: string) =>
  new Response(refusalBody({ status: face.http, code, message }, requestId), {
    status: face.http,
    headers: { "content-type": "application/json; charset=utf-8" },
  });

/**
 * Resolves if the page is not answered within a second and the database, asked then over the connections of pages, does not answer
 * either. Else never.
 */
export const tooLate = (core: Pick<Core, "people">, res: express.Response) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(async () => {
      if (!res.headersSent && !(await isReady({ sql: core.people }))) resolve();
    }, LATE_MS);
    res.once("close", () => clearTimeout(timer));
  });
