import type { Snapshot, Snapshots } from "../../platform/db/snapshot.ts";
import { z } from "zod";

/** The response of a download over tRPC, which has no byte streams. */
export const Download = z
  .object({
    url: z.string().meta({ description: "The URL of the file." }),
    filename: z.string().meta({ description: "The name of the file." }),
    contentType: z.string().meta({ description: "The media type of the file." }),
  })
  .meta({ id: "Download", description: "A file to download." });

type Made = AsyncIterable<Uint8Array>;
type Make = (snapshot: Snapshot) => Made | Promise<Made>;

/** Exports from a snapshot, which is closed at the end, at a failure, or when the client leaves. */
export async function inSnapshot(
  snapshots: Snapshots,
  who: bigint,
  disconnected: AbortSignal,
  make: Make,
): Promise<AsyncIterable<Uint8Array>> {
  const snapshot = await snapshots.open(who);
  disconnected.addEventListener("abort", snapshot.cut, { once: true });
  try {
    return closing(snapshot, await make(snapshot));
  } catch (error) {
    await snapshot.close();
    throw error;
  }
}

async function* closing(snapshot: Snapshot, made: Made) {
  try {
    yield* made;
  } finally {
    await snapshot.close();
  }
}
