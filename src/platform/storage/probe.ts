import { setTimeout as pause } from "node:timers/promises";
import { sharedCheck } from "../shared-check.ts";
import type { Files } from "./store.ts";

const timeoutMs = 2_000;
const cacheMs = 10_000;

/** Makes a health check of a storage; it times out after 2 s and caches its answer for 10 s. */
export const storageProbe = (files: Files, clock: () => Date): (() => Promise<boolean>) =>
  sharedCheck(() => ping(files), cacheMs, clock);

const ping = (files: Files): Promise<boolean> =>
  Promise.race([
    files.ping().then(
      () => true,
      () => false,
    ),
    pause(timeoutMs, false, { ref: false }),
  ]);
