import { setTimeout as pause } from "node:timers/promises";

const longestMs = 540_000;

/** Waits until an import has ended. Each read costs the service time, so there are few. */
export async function importEnd(read: () => Promise<any>): Promise<any> {
  const deadline = Date.now() + longestMs;
  for (;;) {
    const found = await read();
    if (!["queued", "running"].includes(found.status)) return found;
    if (Date.now() > deadline) throw new Error(`Still ${JSON.stringify(found.progress)}`);
    await pause(250);
  }
}
