// The last step of the build: bundles the modules of each program in dist/start, and lets its file load
// the bundle. Finding, reading and linking a thousand files is most of the CPU time of a start.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { build } from "esbuild";

const dist = resolve("dist");
const folder = `${dist}/start`;
const programs = {
  main: "main.js",
  wbs: "cli/main.js",
  migrate: "app/migrate.js",
  doctor: "app/doctor/main.js",
  backup: "app/backup/main.js",
  reset: "app/reset.js",
  "rebuild-search": "app/rebuild-search.js",
};

/** The address of a module is that of its own file: it reads files beside it, and threads load it. */
const ownAddresses = {
  name: "own-addresses",
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/, namespace: "file" }, ({ path }) => {
      const address = `new URL(${JSON.stringify(relative(folder, path))}, import.meta.url).href`;
      const contents = readFileSync(path, "utf8").replaceAll("import.meta.url", address);
      return { contents, loader: "js" };
    });
  },
};

// The constants, of which a test starts the service with others, and what is a bundle already.
const apart = new Set([`${dist}/platform/constants.js`, `${dist}/platform/tracing/sdk.js`]);

/** Modules that stay files of their own. */
const modulesApart = {
  name: "modules-apart",
  setup({ onResolve }) {
    onResolve({ filter: /\/(?:constants|sdk)\.js$/ }, ({ path, resolveDir }) => {
      const file = resolve(resolveDir, path);
      if (apart.has(file)) return { path: relative(folder, file), external: true };
      return undefined;
    });
  },
};

rmSync(folder, { recursive: true, force: true });
const entryPoints = Object.entries(programs).map(([out, file]) => ({ in: `${dist}/${file}`, out }));
await build({
  entryPoints,
  outdir: folder,
  bundle: true,
  splitting: true,
  packages: "external",
  platform: "node",
  target: "node20",
  format: "esm",
  sourcemap: true,
  sourcesContent: false,
  logLevel: "warning",
  plugins: [ownAddresses, modulesApart],
});
for (const [name, file] of Object.entries(programs)) {
  const path = `${dist}/${file}`;
  const [shebang = ""] = /^#!.*\n/.exec(readFileSync(path, "utf8")) ?? [];
  const from = "../".repeat(file.split("/").length - 1) || "./";
  writeFileSync(path, `${shebang}import "${from}start/${name}.js";\n`);
}
