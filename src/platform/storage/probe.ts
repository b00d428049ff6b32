import { setTimeout as pause } from "node:timers/promises";
import type { Files } from "./store.ts";

const patienceMs = 2_000;
const rememberedMs = 10_000;

/** Whether a storage answers, within two seconds; whoever asks within ten seconds of another is told the same, so that nobody can have us ask it all the time. */
export function storageProbe(files: Files, clock: () => Date): () => Promise<boolean> {
  let asked: { at: number; answer: Promise<boolean> } | undefined;
  return () => {
    const now = clock().getTime();
    if (asked === undefined || now - asked.at >= rememberedMs)
      asked = { at: now, answer: ask(files) };
    return asked.answer;
  };
}

const ask = (files: Files): Promise<boolean> =>
  Promise.race([
    files.ping().then(
      () => true,
      () => false,
    ),
    pause(patienceMs, false, { ref: false }),
  ]);
