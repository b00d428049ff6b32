import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

// npm runs this after `npm install` in a clone. It builds `dist`.
// A production install has no compiler: then a temporary copy is installed in full and built.

const root = process.cwd();
const skipped = new Set([".data", ".env", ".git", "coverage", "dist", "node_modules"]);
// Settings of the outer command that would leave the compiler out of the copy.
const dropped = /^(?:node_env|npm_config_(?:omit|include|only|production|global|prefix|dry_run))$/i;

function npm(cwd, ...args) {
  const { status } = spawnSync("npm", args, {
    cwd,
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !dropped.test(name))),
    shell: process.platform === "win32",
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed in ${cwd}.`);
}

function buildInCopy() {
  const copy = mkdtempSync(join(tmpdir(), "wbs-build-"));
  const isSource = (path) => dirname(path) !== root || !skipped.has(basename(path));
  try {
    cpSync(root, copy, { recursive: true, filter: isSource });
    npm(copy, "ci", "--include=dev", "--ignore-scripts");
    npm(copy, "run", "build");
    rmSync(join(root, "dist"), { recursive: true, force: true });
    cpSync(join(copy, "dist"), join(root, "dist"), { recursive: true });
  } finally {
    rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
  }
}

const hasCompiler = [".bin/prisma", ".bin/tsgo", "@types/node"].every((name) =>
  existsSync(join(root, "node_modules", name)),
);
if (hasCompiler) npm(root, "run", "build");
else buildInCopy();
