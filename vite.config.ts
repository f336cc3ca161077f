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

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [tailwindcss(), remix(remixConfig)],
  build: {
    // Nothing as a data: URL: the Content-Security-Policy lets fonts come from files of ours only.
    assetsInlineLimit: 0,
    rollupOptions: isSsrBuild ? {} : { output: { manualChunks: chunkOf, onlyExplicitManualChunks: true } },
  },
  // Node would read all of its icons at every start, which is a tenth of it.
  ssr: { noExternal: ["lucide-react"] },
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
}));
