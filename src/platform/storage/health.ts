import { sharedCheck } from "../shared-check.ts";
import { isStorageFull } from "./free-space.ts";
import type { Files } from "./store.ts";

const cacheMs = 1_000;

/** Whether a storage accepts files. */
export type StorageState = "ok" | "unreachable" | "full";

/** Makes a health check of a storage; it has a deadline, and shares its answer for a second. */
export const storageHealth = (files: Files, clock: () => Date): (() => Promise<StorageState>) =>
  sharedCheck(() => ping(files), { ms: cacheMs, clock, late: () => "unreachable" });

const ping = (files: Files): Promise<StorageState> =>
  files.ping().then(
    () => "ok",
    (error: unknown) => (isStorageFull(error) ? "full" : "unreachable"),
  );
