import type { Stop } from "./types.ts";

/** A function that runs at its first call only. */
export function once(run: () => void): Stop {
  let isRun = false;
  return () => {
    if (isRun) return;
    isRun = true;
    run();
  };
}
