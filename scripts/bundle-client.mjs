// A step of the build: bundles the client for pages without a build of their own, as dist/bundle/client.js.
import { resolve } from "node:path";
import { build } from "vite";

await build({
  configFile: false,
  logLevel: "warn",
  build: {
    outDir: "dist/bundle",
    emptyOutDir: true,
    lib: {
      entry: resolve("dist/client-package/client/index.js"),
      formats: ["es"],
      fileName: () => "client.js",
    },
  },
});
