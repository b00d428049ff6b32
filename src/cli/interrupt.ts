import { CliFailure, exits } from "./failure.ts";

const signals = ["SIGINT", "SIGTERM"] as const;

/** Runs a command that stops on its signal. A second interruption ends the process at once. */
export async function interruptible<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const exit = (name: (typeof signals)[number]) => (name === "SIGINT" ? exits.interrupted : 143);
  const listeners = new Map(
    signals.map((name) => [
      name,
      () => {
        if (stop.signal.aborted) process.exit(exit(name));
        stop.abort(new CliFailure(exit(name), "Interrupted."));
      },
    ]),
  );
  for (const [name, listener] of listeners) process.on(name, listener);
  try {
    return await run(stop.signal);
  } catch (error) {
    // An error after an interruption is a consequence of it.
    stop.signal.throwIfAborted();
    throw error;
  } finally {
    for (const [name, listener] of listeners) process.off(name, listener);
  }
}
