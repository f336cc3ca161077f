// Every route of the site, out of the build.
export interface Route {
  id: string;
  parentId?: string;
  path?: string;
  index?: boolean;
  module: { loader?: unknown; action?: unknown };
}

/** Once a server under test has started: it builds them. */
export async function builtRoutes(): Promise<Record<string, Route>> {
  return (await import(/* @vite-ignore */ new URL("../../build/server/index.js", import.meta.url).href)).routes;
}
