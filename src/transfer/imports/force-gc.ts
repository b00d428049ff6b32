import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** How much an import may leave behind in memory before that is looked for. */
const mostBytes = 40 * 1024 * 1024;

let collect: (() => void) | undefined;
let left = 0;

const used = () => {
  const { used_heap_size: heap, external_memory: outside } = getHeapStatistics();
  return heap + outside;
};

/**
 * Has memory freed that is not needed any more, when it has become much. By itself V8 lets it grow to several times what is alive, which
 * for an import, that leaves gigabytes behind, is hundreds of megabytes that others could use.
 */
export function tidyUp(): void {
  if (used() - left < mostBytes) return;
  collect ??= exposed();
  collect();
  left = used();
}

function exposed(): () => void {
  setFlagsFromString("--expose-gc");
  const found: unknown = runInNewContext("gc");
  return typeof found === "function" ? () => void found() : () => undefined;
}
