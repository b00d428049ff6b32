import type { BoardServiceError } from "../errors.ts";
import { Listeners } from "./listeners.ts";
import type { Connection, Stop } from "./types.ts";

// The part of the browser that is used here; Node.js lacks it.
type Browser = {
  addEventListener?(
    type: "online" | "offline",
    listener: () => void,
    options: { signal: AbortSignal },
  ): void;
  navigator?: { onLine?: boolean };
};
const browser = globalThis as unknown as Browser;

/** The state of the connection to the service. */
export type ConnectionState = {
  readonly get: () => Connection;
  readonly subscribe: (listener: () => void) => Stop;
  /** A feed is connected, or has lost its connection: again, when it was lost before. */
  follow(state: "live" | "polling" | "lost"): void;
  /** A request succeeded. While offline, everything tries again. */
  readonly succeed: () => void;
  /** A request failed. */
  readonly interrupt: (error: unknown) => void;
  close(): void;
};

/** Watches the connection; `wake` is called when the network is back. */
export function connectionState(wake: () => void): ConnectionState {
  const listeners = new Listeners();
  let state: Connection = browser.navigator?.onLine === false ? "offline" : "connecting";
  const set = (next: Connection) => {
    if (next === state) return;
    state = next;
    listeners.notify();
  };
  const stop = new AbortController();
  browser.addEventListener?.("offline", () => set("offline"), stop);
  browser.addEventListener?.("online", wake, stop);
  return {
    get: () => state,
    subscribe: (listener) => listeners.add(listener),
    follow: (next) =>
      set(next !== "lost" ? "online" : state === "online" ? "reconnecting" : "offline"),
    succeed() {
      if (state !== "offline") return;
      set("reconnecting");
      wake();
    },
    interrupt(error) {
      const { status } = error as Partial<BoardServiceError>;
      if (status === 401) set("denied");
      else if (status === 0) set("offline");
    },
    close: () => stop.abort(),
  };
}
