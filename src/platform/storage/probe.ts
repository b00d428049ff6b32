import { setTimeout as pause } from "node:timers/promises";
import type { Files } from "./store.ts";

const timeoutMs = 2_000;
const cacheMs = 10_000;

/** Makes a health check of a storage; it times out after 2 s and caches its answer for 10 s. */
export function storageProbe(files: Files, clock: () => Date): () => Promise<boolean> {
  let last: { at: number; answer: Promise<boolean> } | undefined;
  return () => {
    const now = clock().getTime();
    if (last === undefined || now - last.at >= cacheMs) last = { at: now, answer: ping(files) };
    return last.answer;
  };
}

const ping = (files: Files): Promise<boolean> =>
  Promise.race([
    files.ping().then(
      () => true,
      () => false,
    ),
    pause(timeoutMs, false, { ref: false }),
  ]);
