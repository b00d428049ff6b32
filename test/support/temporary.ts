import { rm } from "node:fs/promises";
import { onTestFinished } from "vitest";
import { scratchDirectory } from "../../src/platform/db/scratch.ts";

/** A directory of the test's own, closed to every other account, and gone with the test. */
export async function temporaryDirectory(): Promise<string> {
  const path = await scratchDirectory();
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}
