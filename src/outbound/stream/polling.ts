/** A poll that runs at an interval between `start` and `stop`. */
export class Polling {
  readonly #ms: number;
  readonly #poll: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, poll: () => void) {
    this.#ms = ms;
    this.#poll = poll;
  }

  start(): void {
    this.#timer ??= setInterval(this.#poll, this.#ms).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
