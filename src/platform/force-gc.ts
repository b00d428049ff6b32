import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** How much memory may be allocated between two collections. */
const maxBytes = 40 * 1024 * 1024;

let collect: (() => void) | undefined;
let before = 0;

const used = () => {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
};

/**
 * Collects garbage when an import has allocated much of it.
 *
 * V8 lets the heap grow to several times the live data. An import discards gigabytes, so that would
 * be hundreds of megabytes that other requests need.
 */
export function forceGc(): void {
  if (used() - before >= maxBytes) collectGarbage();
}

/**
 * Lets the heap grow by half between two collections.
 *
 * V8 lets it grow to several times what a collection finds alive, and further before the first one.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString("--heap-growing-percent=50");
  collectGarbage();
}

function collectGarbage(): void {
  collect ??= exposed();
  collect();
  before = used();
}

function exposed(): () => void {
  setFlagsFromString("--expose-gc");
  const found: unknown = runInNewContext("gc");
  return typeof found === "function" ? () => void found() : () => undefined;
}
