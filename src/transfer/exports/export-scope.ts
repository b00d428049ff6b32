import type { Snapshot, Snapshots } from "../../platform/db/snapshot.ts";

type Make = (snapshot: Snapshot) => AsyncIterable<Uint8Array>;

/** What is made of a snapshot that lasts as long as the making does: to its end, to a failure, or until nobody waits for it any more. */
export async function within(
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
