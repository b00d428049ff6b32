import type { Snapshot, Snapshots } from "../../platform/db/snapshot.ts";

type Make = (snapshot: Snapshot) => AsyncIterable<Uint8Array>;

/** Exports from a snapshot, which is closed at the end, at a failure, or when the client leaves. */
export async function inSnapshot(
  snapshots: Snapshots,
  who: bigint,
  gone: AbortSignal,
  make: Make,
): Promise<AsyncIterable<Uint8Array>> {
  const snapshot = await snapshots.open(who);
  gone.addEventListener("abort", snapshot.cut, { once: true });
  return made(snapshot, make);
}

async function* made(snapshot: Snapshot, make: Make) {
  try {
    yield* make(snapshot);
  } finally {
    await snapshot.close();
  }
}
