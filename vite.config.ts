import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import remixConfig from "./remix.config.js";

export default defineConfig({
  plugins: [tailwindcss(), remix(remixConfig)],
  // Nothing as a data: URL: the Content-Security-Policy lets fonts come from files of ours only.
  build: { assetsInlineLimit: 0 },
  resolve: { alias: { "~": new URL("./app", import.meta.url).pathname } },
});
