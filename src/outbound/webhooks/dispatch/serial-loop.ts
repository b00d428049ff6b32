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
