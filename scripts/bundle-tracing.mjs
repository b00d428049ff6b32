// A step of the build: bundles the OpenTelemetry SDK into dist/platform/tracing/sdk.js, which only a
// service with a collector of traces loads. Its packages would be 28 MB of each production install.
import { copyFileSync, rmSync } from "node:fs";
import { build } from "esbuild";

const folder = "dist/platform/tracing";
const notice = "/* Contains OpenTelemetry's SDK for JavaScript: see LICENSE-opentelemetry. */";
// Some of its modules are CommonJS, and require modules of Node.js.
const requireOfNode =
  'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

await build({
  entryPoints: [`${folder}/sdk.js`],
  outfile: `${folder}/sdk.js`,
  allowOverwrite: true,
  bundle: true,
  minify: true,
  platform: "node",
  target: "node20",
  format: "esm",
  // These are the modules that the service itself has loaded.
  external: ["../error-code.js", "../version.js"],
  banner: { js: `${notice}\n${requireOfNode}` },
});
// What is in the bundle now, or describes the file before.
for (const name of ["sdk.js.map", "outages.js", "outages.js.map", "outages.d.ts"]) {
  rmSync(`${folder}/${name}`);
}
copyFileSync(
  "node_modules/@opentelemetry/sdk-trace-base/LICENSE",
  `${folder}/LICENSE-opentelemetry`,
);
