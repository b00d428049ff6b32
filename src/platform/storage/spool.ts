import { createHash } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { tooLarge } from "../http/body.ts";
import type { Stored } from "./store.ts";

/** Writes a source to a new file and flushes it; leaves no file after a failure or over `limit`. */
export async function spool(
  path: string,
  source: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Stored> {
  const file = await open(path, "wx", 0o600);
  try {
    const hash = createHash("sha256");
    let size = 0;
    for await (const chunk of source) {
      size += chunk.byteLength;
      if (size > limit) throw tooLarge(limit);
      hash.update(chunk);
      for (let written = 0; written < chunk.byteLength;) {
        written += (await file.write(chunk, written)).bytesWritten;
      }
    }
    await file.sync();
    return { size, sha256: hash.digest("hex") };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
