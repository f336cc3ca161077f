import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import remixConfig from "./remix.config.js";

/** Parts of nearly every page go together: a file of its own for each would be two thirds headers. What is loaded late stays apart. */
function chunkOf(id: string): string | undefined {
  if (id.includes("/node_modules/lucide-react/")) return "icons";
  return /\/app\/(ui|lib)\/(?!toast-list|chart|json-view|trpc)[\w-]+\.tsx?$/.test(id) ? "ui" : undefined;
}

/** One file with the pages (decision 0072): Node would read each, file by file, at every start. `@remix-run/node` is the server's, too. */
const DRAWN_WITH = [
  "@remix-run/react",
  "@remix-run/router",
  "@trpc/client",
  "@trpc/server",
  "diff",
  "isbot",
  "lucide-react",
  "qr",
  "react",
  "react-dom",
  "react-router",
  "react-router-dom",
  "scheduler",
];

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [tailwindcss(), remix(remixConfig)],
  build: {
    // Nothing as a data: URL: the Content-Security-Policy lets fonts come from files of ours only.
    assetsInlineLimit: 0,
    rollupOptions: isSsrBuild ? {} : { output: { manualChunks: chunkOf, onlyExplicitManualChunks: true } },
  },
  ssr: { noExternal: isSsrBuild ? DRAWN_WITH : [] },
  // Of React's two builds the one that is used.
  define: isSsrBuild ? { "process.env.NODE_ENV": '"production"' } : {},
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
}));
