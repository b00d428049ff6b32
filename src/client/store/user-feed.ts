import type { FollowedUserEvent } from "../events.ts";
import type { Client } from "../index.ts";
import { delayOf } from "../transport.ts";
import type { ConnectionState } from "./connection.ts";
import { once } from "./once.ts";
import type { Stop } from "./types.ts";
import type { Waiting } from "./waiting.ts";

/** The service sends the events of so many workspaces over one connection. */
const maxWorkspaces = 20;

type Handlers = {
  /** The workspaces whose events are needed too. */
  workspaces(): string[];
  onEvent: (event: FollowedUserEvent) => void;
  /** Events before now may be missing. */
  onGap: () => void;
  connection: ConnectionState;
};

/** Follows what happens to the user, while something needs it. */
export class UserFeed {
  readonly #client: Client;
  readonly #waiting: Waiting;
  readonly #handlers: Handlers;
  #users = 0;
  #stop: AbortController | undefined;
  #workspaces = "";

  constructor(client: Client, waiting: Waiting, handlers: Handlers) {
    this.#client = client;
    this.#waiting = waiting;
    this.#handlers = handlers;
  }

  readonly open = (): Stop => {
    if (this.#users++ === 0) void this.#run((this.#stop = new AbortController()));
    return once(() => {
      if (--this.#users === 0) this.close();
    });
  };

  /** Connects again: the network is back, or another user has signed in. */
  restart(): void {
    if (this.#users === 0) return;
    this.close();
    void this.#run((this.#stop = new AbortController()));
  }

  /** Connects again if the workspaces of the user have changed. */
  check(): void {
    if (this.#chosen().join() !== this.#workspaces) this.restart();
  }

  #chosen(): string[] {
    return this.#handlers.workspaces().slice(0, maxWorkspaces);
  }

  close(): void {
    this.#stop?.abort();
  }

  async #run({ signal }: AbortController): Promise<void> {
    const { onEvent, onGap, connection } = this.#handlers;
    for (let failures = 0; !signal.aborted && !this.#waiting.isClosed; failures++) {
      let isConnected = false;
      const onConnection = (state: string) => {
        if (state !== "live" || isConnected || signal.aborted) return;
        isConnected = true;
        failures = 0;
        onGap();
      };
      const workspaces = this.#chosen();
      this.#workspaces = workspaces.join();
      try {
        const events = this.#client.userEvents({
          ...(workspaces.length === 0 ? {} : { workspaces }),
          signal,
          onConnection,
          onResync: onGap,
        });
        for await (const event of events) if (!signal.aborted) onEvent(event);
      } catch (error) {
        if (!signal.aborted) connection.interrupt(error);
      }
      if (!signal.aborted) await this.#waiting.wait(delayOf(Math.max(failures, 4)));
    }
  }
}
