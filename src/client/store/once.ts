import type { Stop } from "./types.ts";

/** A function that runs at its first call only. */
export function once(run: () => void): Stop {
  let next: Stop | undefined = run;
  return () => {
    const last = next;
    next = undefined;
    last?.();
  };
}
