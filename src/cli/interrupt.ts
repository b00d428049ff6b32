import { CliFailure, exits } from "./failure.ts";

const signals = ["SIGINT", "SIGTERM"] as const;

/** Runs a command that may be interrupted: it is told by its signal, and has until the second time to leave things in order. */
export async function interruptible<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const exit = (name: (typeof signals)[number]) => (name === "SIGINT" ? exits.interrupted : 143);
  const heard = new Map(
    signals.map((name) => [
      name,
      () => {
        if (stop.signal.aborted) process.exit(exit(name));
        stop.abort(new CliFailure(exit(name), "Interrupted."));
      },
    ]),
  );
  for (const [name, listener] of heard) process.on(name, listener);
  try {
    return await run(stop.signal);
  } catch (error) {
    // Whatever broke because of the interruption, that is why.
    stop.signal.throwIfAborted();
    throw error;
  } finally {
    for (const [name, listener] of heard) process.off(name, listener);
  }
}
