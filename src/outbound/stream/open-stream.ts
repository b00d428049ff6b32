import type { EventStream, Tracked } from "../../kernel/events/hub.ts";
import type { Failure } from "../../platform/errors.ts";

/** How long a stream is open: until a time. It calls `onClose` once, at its end. */
export type StreamLife = { clock: () => Date; until: Date; onClose: () => void };

/** An open stream: it sends its items until its time is over, it is ended, or its client leaves. */
export abstract class OpenStream<Item> implements EventStream<Item> {
  count = 0;
  ping: (() => void) | undefined;
  cut: (() => void) | undefined;
  protected isOpen = true;
  protected ended: Failure | "over" | undefined;
  readonly #life: StreamLife;
  #wake: (() => void) | undefined;

  constructor(life: StreamLife) {
    this.#life = life;
  }

  abstract get cursor(): string;

  protected now(): Date {
    return this.#life.clock();
  }

  /** The items until the stream is closed or ended. */
  protected abstract items(): AsyncGenerator<Tracked<Item>, void>;

  /** Whether the stream must end; ends it if its time is over. */
  get isOver(): boolean {
    if (this.ended === undefined && this.now() >= this.#life.until) this.end("over");
    return this.ended !== undefined;
  }

  /** Ends the stream without the waiting items: the reader has lost access. */
  refuse(failure: Failure): void {
    this.end(failure);
  }

  /** Ends the stream with a failure, or so that the client reconnects. */
  end(reason: Failure | "over"): void {
    this.ended ??= reason;
    this.wake();
  }

  /** Ends the stream at once: the client has disconnected. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#life.onClose();
    this.wake();
  }

  /** Continues the generator of items that waits. */
  protected wake(): void {
    this.#wake?.();
  }

  protected wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  /** Sends all items in order. Ends by throwing: a failure, or an abort that means "reconnect". */
  async *[Symbol.asyncIterator](): AsyncGenerator<Tracked<Item>, void> {
    try {
      yield* this.items();
    } finally {
      this.close();
    }
    if (this.ended === "over") {
      throw new DOMException("The stream has reached its time limit.", "AbortError");
    }
    if (this.ended !== undefined) throw this.ended;
  }
}
