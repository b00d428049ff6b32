import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import optimizeLocales from "@react-aria/optimize-locales-plugin";
import { defineConfig } from "vite";

/** Finds the packed client, which an application installs with npm. */
const client = resolve("dist/client-package");

export default defineConfig({
  root: import.meta.dirname,
  logLevel: "warn",
  plugins: [
    // The page is in English. Dates are in the language of the browser all the same.
    { ...optimizeLocales.vite({ locales: ["en-US"] }), enforce: "pre" },
    {
      name: "packed-client",
      enforce: "pre",
      resolveId(id) {
        if (!id.startsWith("@workspace-board-service/client")) return null;
        const path = id.replace("@workspace-board-service/client", ".");
        const text = readFileSync(`${client}/package.json`, "utf8");
        const { exports } = JSON.parse(text) as { exports: Record<string, { default: string }> };
        return resolve(client, exports[path]?.default ?? "");
      },
    },
  ],
  build: {
    outDir: resolve("dist/demo"),
    chunkSizeWarningLimit: 1_000,
    emptyOutDir: true,
    modulePreload: false,
    rollupOptions: {
      input: resolve(import.meta.dirname, "main.tsx"),
      // The service serves these files alone: modules that load later are in them.
      output: { entryFileNames: "app.js", assetFileNames: "style.css", inlineDynamicImports: true },
    },
  },
});
