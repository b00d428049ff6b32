/** Limits a rate: `burst` uses after a pause, then `rate` per second. */
export class TokenBucket {
  readonly #rate: number;
  readonly #burst: number;
  #tokens: number;
  #refilledAt = performance.now();

  constructor(rate: number, burst = rate) {
    this.#rate = rate;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** How long until another use is allowed. */
  waitMs(): number {
    this.#refill();
    return this.#tokens >= 1 ? 0 : ((1 - this.#tokens) / this.#rate) * 1_000;
  }

  /** Counts a use. */
  take(): void {
    this.#tokens--;
  }

  /** Takes back a use. */
  refund(): void {
    this.#tokens++;
  }

  /** Whether the bucket is full again, like a new one. */
  isFull(): boolean {
    this.#refill();
    return this.#tokens >= this.#burst;
  }

  #refill(): void {
    const now = performance.now();
    const added = ((now - this.#refilledAt) / 1_000) * this.#rate;
    this.#tokens = Math.min(this.#burst, this.#tokens + added);
    this.#refilledAt = now;
  }
}
