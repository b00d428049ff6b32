import { setTimeout as pause } from "node:timers/promises";
import { sharedCheck } from "../shared-check.ts";
import { isStorageFull } from "./free-space.ts";
import type { Files } from "./store.ts";

const timeoutMs = 2_000;
const cacheMs = 10_000;

/** Whether a storage takes files. */
export type StorageState = "ok" | "unreachable" | "full";

/** Makes a health check of a storage; it times out after 2 s and caches its answer for 10 s. */
export const storageHealth = (files: Files, clock: () => Date): (() => Promise<StorageState>) =>
  sharedCheck(() => ping(files), cacheMs, clock);

const ping = (files: Files): Promise<StorageState> =>
  Promise.race([
    files.ping().then(
      () => "ok" as const,
      (error: unknown) => (isStorageFull(error) ? "full" : "unreachable"),
    ),
    pause(timeoutMs, "unreachable" as const, { ref: false }),
  ]);
