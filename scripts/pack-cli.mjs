// A step of the build: bundles the command line with all that it needs in dist/cli-package, and packs it
// as dist/wbs.tgz, which the service serves: `npx <address of the service>/docs/wbs.tgz`.
import { execSync } from "node:child_process";
import { cpSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { build } from "vite";

const target = "dist/cli-package";
await build({
  configFile: false,
  // zod has comments that a bundler cannot place.
  logLevel: "error",
  ssr: { noExternal: true },
  build: {
    ssr: "dist/cli/main.js",
    // The version is two folders above, as in the package of the service.
    outDir: `${target}/dist/cli`,
    emptyOutDir: true,
    target: "node20",
    minify: true,
    // undici loads it when it stores responses, which the command line does not: Node.js 20 lacks it.
    commonjsOptions: { ignore: ["node:sqlite"] },
    license: { fileName: "licenses.md" },
  },
});

const { version, license, engines } = JSON.parse(readFileSync("package.json", "utf8"));
const description = {
  name: "@workspace-board-service/wbs",
  version,
  description: "The command line of the Workspace Board Service.",
  license,
  type: "module",
  bin: { wbs: "dist/cli/main.js" },
  engines,
};
writeFileSync(`${target}/package.json`, `${JSON.stringify(description, null, 2)}\n`);
cpSync("LICENSE", `${target}/LICENSE`);

const packed = execSync(`npm pack --silent ./${target}`, { encoding: "utf8" });
renameSync(packed.trim(), "dist/wbs.tgz");
