import { createHash } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { tooLarge } from "../http/body.ts";
import { checkFreeSpace, isOutOfSpace, storageFull } from "./free-space.ts";
import type { StoredContent } from "./store.ts";

/** The largest size of a file, and the free bytes that it leaves on its disk. */
export type SpoolLimits = { limit: number; minFree: number };

/** After how many bytes the free space is checked again: many files are written at a time. */
const bytesPerCheck = 1024 * 1024;

/** Writes a source to a new file and flushes it; leaves no file after a failure or over `limit`. */
export async function spool(
  path: string,
  source: AsyncIterable<Uint8Array>,
  { limit, minFree }: SpoolLimits,
): Promise<StoredContent> {
  const directory = dirname(path);
  await checkFreeSpace(directory, minFree);
  const file = await open(path, "wx", 0o600);
  try {
    const hash = createHash("sha256");
    let size = 0;
    let checked = 0;
    for await (const chunk of source) {
      size += chunk.byteLength;
      if (size > limit) throw tooLarge(limit);
      if (size - checked >= bytesPerCheck) {
        await checkFreeSpace(directory, minFree);
        checked = size;
      }
      hash.update(chunk);
      for (let written = 0; written < chunk.byteLength;) {
        written += (await file.write(chunk, written)).bytesWritten;
      }
    }
    await file.sync();
    return { size, sha256: hash.digest("hex") };
  } catch (error) {
    await rm(path, { force: true });
    throw isOutOfSpace(error) ? storageFull() : error;
  } finally {
    await file.close();
  }
}
