import { BoardServiceError } from "../errors.ts";
import type { FollowedEvent } from "../events.ts";
import type { Client } from "../index.ts";

/** The part of a cursor that sorts. */
export const orderOf = (cursor: string): string => cursor.slice(cursor.lastIndexOf(".") + 1);

/** What a feed informs its store of. */
export type FeedHandlers = {
  onEvent(event: FollowedEvent): void;
  onResync(workspacePublicId: string): void;
  onConnection(state: "live" | "polling" | "lost"): void;
  /** The feed has ended: the workspace cannot be seen, or the cursor is not known. */
  onEnd(workspacePublicId: string, error: BoardServiceError): void;
};

/** Follows the events of a workspace. */
export class Feed {
  /** All events after this cursor have been handled or will be. */
  cursor = "";
  readonly #client: Client;
  readonly #workspacePublicId: string;
  readonly #handlers: FeedHandlers;
  #stop = new AbortController();

  constructor(client: Client, workspacePublicId: string, handlers: FeedHandlers) {
    this.#client = client;
    this.#workspacePublicId = workspacePublicId;
    this.#handlers = handlers;
  }

  /** Follows from a cursor, or again from the last one. */
  start(cursor: string = this.cursor): void {
    this.stop();
    this.cursor = cursor;
    this.#stop = new AbortController();
    void this.#run(this.#stop.signal);
  }

  stop(): void {
    this.#stop.abort();
  }

  async #run(signal: AbortSignal): Promise<void> {
    const events = this.#client.events(this.#workspacePublicId, {
      from: this.cursor,
      signal,
      onResync: () => this.#handlers.onResync(this.#workspacePublicId),
      onConnection: (state) => signal.aborted || this.#handlers.onConnection(state),
    });
    try {
      for await (const event of events) {
        if (signal.aborted) return;
        this.cursor = event.cursor;
        this.#handlers.onEvent(event);
      }
    } catch (error) {
      if (signal.aborted || !(error instanceof BoardServiceError)) return;
      this.#handlers.onEnd(this.#workspacePublicId, error);
    }
  }
}
