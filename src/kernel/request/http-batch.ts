import { setImmediate } from "node:timers/promises";
import { FairShare, type ShareLimits } from "../../platform/fair-share.ts";
import { conflict } from "../../platform/errors.ts";

/** How many calls an HTTP batch has at most. */
export const maxBatchCalls = 50;
/** The maximum size of the answers of an HTTP batch together; a single one may be larger. */
export const maxBatchBytes = 8 * 1024 * 1024;
/** How many calls of an HTTP batch run at the same time. */
export const batchShares: ShareLimits = {
  size: 16,
  perCaller: 16,
  perTenant: 16,
  queue: maxBatchCalls,
  queuePerCaller: maxBatchCalls,
  waitMs: 60_000,
};

type Charge = ((bytes: number) => Promise<unknown>) | undefined;

/**
 * The calls of an HTTP batch. Their answers are one text in memory.
 *
 * Writing the text blocks the event loop, so its size is limited.
 */
export class HttpBatch {
  readonly #charge: Charge;
  readonly #turns = new FairShare(batchShares);
  /** Answers whose bytes are known. */
  readonly #measured = new WeakSet<object>();
  #bytes = 0;

  constructor(charge: Charge) {
    this.#charge = charge;
  }

  /** Runs a call in its turn; 409 when the answers of the others are too large. */
  async run<Data>(call: () => Promise<Data>, writes: boolean): Promise<Data> {
    const end = await this.#turns.acquire("batch");
    try {
      this.#checkSpace();
      const data = await call();
      await this.#add(data, writes);
      return data;
    } finally {
      // Answers that need no database would all be made in this iteration.
      await setImmediate();
      end();
    }
  }

  /** The value of an answer that is in memory as JSON; 409 when it and the others are too large. */
  parse(bytes: Uint8Array): object {
    if (!this.#fits(bytes.byteLength)) throw tooLarge();
    this.#bytes += bytes.byteLength;
    const value: object = JSON.parse(String(bytes));
    this.#measured.add(value);
    return value;
  }

  async #add(data: unknown, writes: boolean): Promise<void> {
    if (typeof data !== "object" || data === null || this.#measured.has(data)) return;
    const bytes = Buffer.byteLength(JSON.stringify(data));
    const fits = this.#fits(bytes);
    this.#bytes += bytes;
    if (fits) return;
    // Charged although it is not sent: making it had its cost.
    await this.#charge?.(bytes);
    throw writes ? tooLargeWrite() : tooLarge();
  }

  /** Whether an answer can be sent with those before it. One alone always can. */
  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= maxBatchBytes;
  }

  #checkSpace(): void {
    if (this.#bytes > maxBatchBytes) throw tooLarge();
  }
}

const tooLarge = () =>
  conflict(
    "limit_exceeded",
    `The answers of the batch exceed ${maxBatchBytes} bytes. Send the call in another request.`,
  );

const tooLargeWrite = () =>
  conflict(
    "answer_too_large",
    `The call succeeded. The answers of the batch exceed ${maxBatchBytes} bytes: read the ` +
      "resource instead.",
  );
