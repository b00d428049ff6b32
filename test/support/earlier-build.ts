import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The versions of the packages that a lock file has, by their paths. */
function packagesIn(folder: string): Map<string, string> {
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  const entries = Object.entries<{ version: string }>(packages);
  return new Map(entries.flatMap(([path, { version }]) => (path === "" ? [] : [[path, version]])));
}

/** Whether the installed packages serve another lock file: those that it lacks hide none of its own. */
function areInstalled(folder: string): boolean {
  if (!existsSync("node_modules")) return false;
  const [wanted, installed] = [packagesIn(folder), packagesIn(".")];
  const hides = (path: string) => {
    const end = path.lastIndexOf("/node_modules/");
    return !wanted.has(path) && end > 0 && wanted.has(path.slice(0, end));
  };
  return (
    [...wanted].every(([path, version]) => installed.get(path) === version) &&
    ![...installed.keys()].some(hides)
  );
}

/**
 * Checks a commit out into a folder of its own, and builds the service there. Uses the installed
 * packages if those of the commit are among them.
 */
export async function buildCommit(
  commit: string,
): Promise<{ program: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "board-commit-"));
  const run = (program: string, args: string[], cwd: string) =>
    execFileSync(program, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  const remove = async () => {
    run("git", ["worktree", "remove", "--force", folder], ".");
    await rm(folder, { recursive: true, force: true });
  };
  run("git", ["worktree", "add", "--detach", "--force", folder, commit], ".");
  try {
    if (areInstalled(folder))
      await symlink(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
    else run("npm", ["ci", "--no-audit", "--no-fund"], folder);
    // The server only: neither the client nor pages. Its types were checked when it was committed.
    run("npm", ["run", "generate"], folder);
    const options = ["--singleThreaded", "--noCheck", "--declaration", "false"];
    run("npx", ["tsgo", "-p", "tsconfig.build.json", ...options], folder);
    const bundling = "scripts/bundle-programs.mjs";
    if (existsSync(join(folder, bundling))) run("node", [bundling], folder);
  } catch (error) {
    await remove();
    throw error;
  }
  return { program: join(folder, "dist/main.js"), remove };
}
