import { setTimeout as pause } from "node:timers/promises";
import type { Deps } from "../../../kernel/request/deps.ts";
import { disableWebhook, webhooksToDisable, type DisableReason } from "./disable.ts";
import { saveResults, type AttemptResult } from "./results.ts";

/** Writes the results of attempts in batches, and disables webhooks whose receivers fail. */
export type ResultWriter = {
  add(result: AttemptResult): void;
  isBusy(): boolean;
  /** Writes the remaining results without waiting for a larger batch. */
  stop(): void;
};

/** Calls `onWritten` after a batch and `onIdle` when nothing is left to write. */
type Options = { onWritten: (results: AttemptResult[]) => void; onIdle: () => void };

const batchSize = 200;
/** How long a result waits for others. */
const gatherMs = 5;
const retryMs = 500;

/** Creates a writer of results. */
export function createResultWriter(deps: Deps, { onWritten, onIdle }: Options): ResultWriter {
  const results: AttemptResult[] = [];
  const toDisable = new Map<bigint, DisableReason>();
  let isStopping = false;
  const loop = serialLoop(write, () => results.length > 0 || toDisable.size > 0, onIdle);

  async function write() {
    if (results.length < batchSize && !isStopping) await pause(gatherMs);
    try {
      await writeBatch();
      for (const [id, reason] of toDisable) {
        await disableWebhook(deps, id, reason);
        toDisable.delete(id);
      }
    } catch (error) {
      deps.log.warn({ err: error }, "writing the results of webhook deliveries failed");
      await pause(retryMs);
    }
  }

  async function writeBatch() {
    const batch = results.slice(0, batchSize);
    const health = await saveResults(deps.db.write, batch);
    results.splice(0, batch.length);
    for (const [id, reason] of webhooksToDisable(batch, health, deps.clock())) {
      toDisable.set(id, reason);
    }
    onWritten(batch);
  }

  return {
    add(result) {
      results.push(result);
      loop.wake();
    },
    isBusy: () => loop.isBusy(),
    stop() {
      isStopping = true;
    },
  };
}

/** A task that runs again while it has work, one run at a time. */
export type SerialLoop = { wake(): void; isBusy(): boolean };

/** Runs `run`, which must not reject, while `hasWork()`; calls `onIdle` each time it ends. */
export function serialLoop(
  run: () => Promise<void>,
  hasWork: () => boolean,
  onIdle: () => void,
): SerialLoop {
  let isRunning = false;
  const loop = async () => {
    while (hasWork()) await run();
    isRunning = false;
    onIdle();
  };
  return {
    isBusy: () => isRunning || hasWork(),
    wake() {
      if (isRunning || !hasWork()) return;
      isRunning = true;
      void loop();
    },
  };
}
