import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";
import { inject, onTestFinished } from "vitest";
import { scratchDirectory } from "../../src/platform/db/scratch.ts";

/** A directory of the test's own, closed to every other account, and gone with the test. */
export async function temporaryDirectory(): Promise<string> {
  const path = await scratchDirectory();
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/** A directory for a service, with its migrated database: to create one takes seconds. */
export async function serviceDirectory(): Promise<string> {
  const path = await temporaryDirectory();
  // With the owners of the files.
  await promisify(execFile)("cp", ["-Rp", `${inject("database").serviceData}/.`, path]);
  return path;
}
