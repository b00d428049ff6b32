import { execFileSync } from "node:child_process";

/**
 * The release whose code must be able to serve the schema of this one. It changes with each release:
 * to its version, and to the newest migration that it has.
 *
 * Until 0.3.0 is cut, it is the commit that 0.3.0 begins with.
 */
export const previousRelease = {
  version: "0.2.0",
  lastMigration: "20261129045000_failed_jobs",
};

/** The commit that brought the last migration of the release before; undefined without git's history. */
export function previousCommit(): string | undefined {
  const path = `prisma/migrations/${previousRelease.lastMigration}`;
  try {
    const options = ["log", "-1", "--diff-filter=A", "--format=%H", "--", path];
    return execFileSync("git", options, { encoding: "utf8", stdio: "pipe" }).trim() || undefined;
  } catch {
    return undefined;
  }
}
