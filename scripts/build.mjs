import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

// `npm run build`: runs `npm run compile`, unless its inputs and outputs are those of the last run.
// CI installs, which builds, and then runs the tests, which build too. Hashes of the contents are
// compared, not times. `npm run build -- --force` compiles in any case.

/** The Prisma client: the build writes it in the middle of its sources. */
const generated = "src/platform/db/generated";
const inputs = [
  "src",
  "prisma",
  "scripts",
  "docs",
  "reference",
  "LICENSE",
  "package.json",
  "prisma.config.ts",
  "tsconfig.json",
  "tsconfig.build.json",
  // The versions of all installed packages.
  "node_modules/.package-lock.json",
];
const outputs = ["dist", generated];
const stamp = "node_modules/.cache/build.json";

/** The files at a path, sorted; an empty list when it does not exist. */
function filesAt(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
}

/** A hash of the names and contents of the files at these paths, without those below `except`. */
function hashOf(paths, except) {
  const hash = createHash("sha256").update(`${process.version} ${process.platform}\0`);
  for (const file of paths.flatMap(filesAt)) {
    if (except !== undefined && file.startsWith(join(except, "/"))) continue;
    const content = readFileSync(file);
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

const hashOfInputs = () => hashOf(inputs, generated);
const hashOfOutputs = () => hashOf(outputs);

function isBuilt(before) {
  if (!existsSync(stamp)) return false;
  const last = JSON.parse(readFileSync(stamp, "utf8"));
  return last.inputs === before && last.outputs === hashOfOutputs();
}

// Inputs that change during the build are not what it has compiled: the next build repeats it.
const before = hashOfInputs();
if (!process.argv.includes("--force") && isBuilt(before)) {
  process.stdout.write("dist is up to date: nothing has changed since the last build.\n");
} else {
  rmSync(stamp, { force: true });
  const isWindows = process.platform === "win32";
  const { status } = spawnSync("npm", ["run", "compile"], { stdio: "inherit", shell: isWindows });
  process.exitCode = status ?? 1;
  if (status === 0) {
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, JSON.stringify({ inputs: before, outputs: hashOfOutputs() }));
  }
}
