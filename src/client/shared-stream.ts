import { channelOf, type Channel } from "./channel.ts";
import {
  direct,
  readPage,
  silenceMs,
  stepsOf,
  type Connect,
  type ConnectionState,
  type Step,
} from "./event-sources.ts";
import { orderOf } from "./order.ts";
import { exclusive } from "./session-store.ts";

/** How long the tab that leads may take to answer a new one. A frozen page does not answer. */
const answerMs = 3_000;
/** How many messages wait at most. What is dropped is read from the feed. */
const maxWaiting = 1_000;

/** What tabs send each other about a log that they follow together. */
type Message<Item> = {
  /** A new tab asks how far the others are. */
  isNew?: true;
  state?: ConnectionState | undefined;
  isResync?: true;
  /** What the leader has read, and the cursor before it. */
  step?: Step<Item>;
  after?: string | undefined;
};

/** A log that all tabs of a site follow over one connection: one of them leads. */
export class SharedLog<Item> {
  readonly #connect: Connect;
  readonly #channel: Channel<Message<Item>> | undefined;
  #leads = false;
  #isClosed = false;
  #state: ConnectionState | undefined;
  /** How far this tab is. */
  #cursor: string | undefined;
  #waiting: Message<Item>[] = [];
  #wake = () => {};
  #endLead = () => {};

  /** `name`: that of the log, in all tabs of a user. */
  constructor(connect: Connect, name: string) {
    this.#connect = connect;
    this.#channel = channelOf(name, (message) => this.#receive(message));
    const { onConnection, onResync, signal } = connect;
    connect.onConnection = (state) => {
      this.#state = state;
      this.#send({ state });
      onConnection(state);
    };
    connect.onResync = () => {
      this.#send({ isResync: true });
      onResync();
    };
    signal.addEventListener("abort", () => this.close());
    void exclusive(name, () => this.#lead());
  }

  /** The steps after a cursor: of the tab that leads, or of the service if it is this one. */
  async *follow(from: string | undefined): AsyncGenerator<Step<Item>> {
    this.#cursor = from;
    for await (const step of this.#isDirect() ? [] : this.#steps()) yield this.#pass(step);
    if (this.#isClosed) return;
    for await (const step of direct<Item>(this.#connect, this.#cursor)) {
      const after = this.#cursor;
      this.#pass(step);
      // Of the events of a page only the last one has a cursor: other tabs read the page.
      if (!("pageCursor" in step)) this.#send({ after, step });
      else if (step.cursor === step.pageCursor) this.#sendCursor();
      yield step;
    }
  }

  /** Lets another tab lead. */
  close(): void {
    this.#isClosed = true;
    this.#channel?.close();
    this.#endLead();
    this.#wake();
  }

  #isDirect(): boolean {
    return this.#leads || this.#isClosed || this.#channel === undefined;
  }

  async #lead(): Promise<void> {
    if (this.#isClosed) return;
    this.#leads = true;
    this.#wake();
    await new Promise<void>((resolve) => (this.#endLead = resolve));
  }

  #pass(step: Step<Item>): Step<Item> {
    this.#cursor = step.cursor;
    return step;
  }

  #send(message: Message<Item>): void {
    if (this.#leads) this.#channel?.post(message);
  }

  #sendCursor(): void {
    const cursor = this.#cursor;
    const step = cursor === undefined ? {} : { after: cursor, step: { cursor } };
    this.#send({ state: this.#state, ...step });
  }

  #receive(message: Message<Item>): void {
    if (message.isNew === true) return this.#sendCursor();
    if (this.#waiting.push(message) > maxWaiting) this.#waiting.shift();
    this.#wake();
  }

  /** The steps of the tab that leads, until this one does, or the other one is silent. */
  async *#steps(): AsyncGenerator<Step<Item>> {
    this.#waiting = [];
    this.#channel?.post({ isNew: true });
    let message = await this.#next(answerMs);
    for (; message !== undefined; message = await this.#next(silenceMs)) {
      const { state, isResync, step, after } = message;
      if (state !== undefined) this.#connect.onConnection(state);
      if (isResync === true) this.#connect.onResync();
      if (step === undefined) continue;
      if (!this.#connect.canPoll) {
        // Without a feed, what this tab has missed cannot be read.
        if (this.#cursor !== undefined && this.#cursor !== after) this.#connect.onResync();
        yield step;
        continue;
      }
      this.#cursor ??= after ?? step.cursor;
      // What another leader has sent before, or this tab has missed.
      if (after !== undefined) yield* this.#readUntil(after);
      if (orderOf(step.cursor) > orderOf(this.#cursor)) yield step;
    }
  }

  async *#readUntil(until: string): AsyncGenerator<Step<Item>> {
    for (let cursor = this.#cursor ?? until; orderOf(cursor) < orderOf(until);) {
      const page = await readPage<Item>(this.#connect, cursor, "0");
      yield* stepsOf(page, cursor);
      if (page.items.length === 0) return;
      cursor = page.nextCursor;
    }
  }

  /** The next message; undefined when this tab leads or no message comes in time. */
  async #next(ms: number): Promise<Message<Item> | undefined> {
    if (this.#waiting.length === 0 && !this.#isDirect()) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#isDirect() ? undefined : this.#waiting.shift();
  }
}
