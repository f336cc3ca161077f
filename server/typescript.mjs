// `node --import ./server/typescript.mjs server/main.ts`: TypeScript of ours becomes JavaScript as it is imported, with nothing
// that costs time where it runs (decision 0044).
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { register } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import { stop, transform } from "esbuild";

// Loaded twice: here, and again in the thread in which Node runs hooks.
if (isMainThread) {
  process.setSourceMapsEnabled(true);
  register(import.meta.url);
}

/** esbuild is a process of its own: once so much time passed without work for it, it ends. */
const IDLE_MS = 1_000;
/** @type {NodeJS.Timeout | undefined} */
let idle;
/** How many files it has under way: on a busy machine one may take longer than that. */
let underWay = 0;

/** `./thing` is `thing.ts` or `thing/index.ts`, as TypeScript reads it. @type {import("node:module").ResolveHook} */
export function resolve(specifier, context, nextResolve) {
  if (!/^\.\.?(\/|$)/.test(specifier) || !context.parentURL?.endsWith(".ts")) return nextResolve(specifier, context);
  const found = [".ts", "/index.ts"].find((end) => existsSync(new URL(specifier + end, context.parentURL)));
  return nextResolve(specifier + (found ?? ""), context);
}

/** @type {import("node:module").LoadHook} */
export async function load(url, context, nextLoad) {
  if (!url.endsWith(".ts")) return nextLoad(url, context);
  clearTimeout(idle);
  underWay += 1;
  try {
    const { code } = await transform(await readFile(new URL(url), "utf8"), {
      loader: "ts",
      target: "node20.19",
      sourcemap: "inline",
      sourcesContent: false,
      sourcefile: fileURLToPath(url),
    });
    return { format: "module", shortCircuit: true, source: code };
  } finally {
    underWay -= 1;
    if (underWay === 0) idle = setTimeout(stop, IDLE_MS).unref();
  }
}
