// A page waits for its loaders as long as the database answers; a server that stops waits for them in any case. Where too
// many are under way, none is begun.
import type { ServerBuild } from "@remix-run/node";
import type express from "express";
import type { Core } from "./context";
import { unavailable } from "./errors";
import { isReady } from "./readiness";

/** Together with a look at the database, less than the three seconds in which everybody is answered while it is away. */
const LATE_MS = 1_000;

/**
 * The build with its loaders and actions wrapped. Each is kept in `context.underWay`, since Remix forgets them when a client
 * leaves, while they go on; and each ends in a 503 once `context.tooLate` resolves.
 */
export function waitedFor(build: ServerBuild): ServerBuild {
  type Run = NonNullable<ServerBuild["routes"][string]["module"]["loader"]>;
  const waited = (run: Run | undefined): Run | undefined =>
    run &&
    ((args) => {
      if (args.context.isBusy) refuse(args.context);
      const work = Promise.resolve(run(args));
      args.context.underWay.push(work);
      return Promise.race([work, args.context.tooLate.then(() => refuse(args.context))]);
    });
  const routes = Object.entries(build.routes).map(([id, route]) => {
    const { loader, action } = route.module;
    return [id, { ...route, module: { ...route.module, loader: waited(loader), action: waited(action) } }] as const;
  });
  return { ...build, routes: Object.fromEntries(routes) };
}

function refuse({ requestId }: { requestId: string }): never {
  const { code, message } = unavailable(undefined);
  throw Response.json({ message, code, requestId }, { status: 503 });
}

/** Resolves if the page is not answered within a second and the database, asked then, does not answer either. Else never. */
export const tooLate = (core: Core, res: express.Response) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(async () => {
      if (!res.headersSent && !(await isReady(core))) resolve();
    }, LATE_MS);
    res.once("close", () => clearTimeout(timer));
  });
