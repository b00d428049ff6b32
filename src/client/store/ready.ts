import type { BoardServiceError } from "../errors.ts";
import type { ConnectionState } from "./connection.ts";
import type { Stop } from "./types.ts";

type AnyState = { status: string; error: BoardServiceError | undefined };

/** What is read of the service: its state, and how to read it again. */
type Source<State> = {
  get: () => State;
  subscribe: (listener: () => void) => Stop;
  /** Resolves when it was read after this call, or can no longer be. */
  reload: () => Promise<void>;
  /** The read that runs now. */
  reading: () => Promise<void> | undefined;
};

/**
 * Resolves with the value as it was read after the call, or offline as it is stored.
 *
 * Rejects when it cannot be seen.
 */
export function readyOf<State extends AnyState, Value>(
  { get, subscribe, reload, reading }: Source<State>,
  valueOf: (state: State) => Value | undefined,
  connection: Pick<ConnectionState, "get" | "subscribe">,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    let isRead = false;
    let stops: Stop[] = [];
    const check = () => {
      const state = get();
      const isCurrent = isRead || connection.get() === "offline";
      if (!isCurrent || state.status === "loading") return;
      const value = valueOf(state);
      if (value === undefined) reject(state.error ?? new Error("Nothing was read."));
      else resolve(value);
      // A listener that is being called may not be removed.
      queueMicrotask(() => {
        for (const stop of stops.splice(0)) stop();
      });
    };
    const before = reading();
    stops = [subscribe(check), connection.subscribe(check)];
    // The first subscriber has it read.
    const started = reading();
    const current = started === undefined || started === before ? reload() : started;
    const settle = async () => {
      await current.catch(() => undefined);
      isRead = true;
      check();
    };
    void settle();
    check();
  });
}
