// The pages as a build of one route, and the environment of a server that asks no database.
import type { ServerBuild } from "@remix-run/node";
import { readEnv } from "../../server/env";

type Module = Partial<NonNullable<ServerBuild["routes"][string]>["module"]>;

/** @param render draws every page */
export const oneRoute = (path: string, module: Module, render?: () => Response | Promise<Response>): ServerBuild =>
  ({
    entry: { module: { default: render } },
    routes: { only: { id: "only", path, module } },
    assets: { routes: {}, entry: { module: "", imports: [] }, url: "", version: "" },
    publicPath: "/",
    assetsBuildDirectory: "",
    basename: "/",
    future: { v3_singleFetch: true },
    isSpaMode: false,
    mode: "production",
  }) as unknown as ServerBuild;

export const envOfNoDatabase = () =>
  readEnv({ NODE_ENV: "test", DATABASE_URL: "postgres://nowhere.invalid/aisle", SECRET_KEY: "s".repeat(32) });
