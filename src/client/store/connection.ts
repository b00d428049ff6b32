import { BoardServiceError } from "../errors.ts";
import { Listeners } from "./listeners.ts";
import type { Connection, Stop } from "./types.ts";

// The part of the browser that is used here; Node.js lacks it.
type Browser = {
  addEventListener?(type: "online" | "offline", listener: () => void): void;
  removeEventListener?(type: "online" | "offline", listener: () => void): void;
  navigator?: { onLine?: boolean };
};
const browser = globalThis as unknown as Browser;

/** The state of the connection to the service. */
export class ConnectionState {
  state: Connection = browser.navigator?.onLine === false ? "offline" : "connecting";
  readonly #listeners = new Listeners();
  readonly #onOffline = () => this.#set("offline");
  readonly #onOnline: () => void;

  /** `wake` is called when the network is back. */
  constructor(wake: () => void) {
    this.#onOnline = wake;
    browser.addEventListener?.("offline", this.#onOffline);
    browser.addEventListener?.("online", this.#onOnline);
  }

  subscribe(listener: () => void): Stop {
    return this.#listeners.add(listener);
  }

  /** A feed is connected, or has lost its connection: again, when it was lost before. */
  follow(state: "live" | "polling" | "lost"): void {
    if (state !== "lost") this.#set("online");
    else this.#set(this.state === "online" ? "reconnecting" : "offline");
  }

  /** A request succeeded. While offline, `wake` lets everything try again. */
  succeed(): void {
    if (this.state !== "offline") return;
    this.#set("reconnecting");
    this.#onOnline();
  }

  /** A request failed. */
  interrupt(error: unknown): void {
    if (!(error instanceof BoardServiceError)) return;
    if (error.status === 401) this.#set("denied");
    else if (error.status === 0) this.#set("offline");
  }

  close(): void {
    browser.removeEventListener?.("offline", this.#onOffline);
    browser.removeEventListener?.("online", this.#onOnline);
  }

  #set(state: Connection): void {
    if (state === this.state) return;
    this.state = state;
    this.#listeners.notify();
  }
}
