import { Socket } from "node:net";

type Written = (error?: Error | null) => void;

/**
 * A socket that sends what is written in one turn of the event loop in one system call.
 *
 * A system call costs as much as a small statement, and a transaction sends several together.
 */
export class CoalescingSocket extends Socket {
  #isCorked = false;

  constructor() {
    super();
    // `connect` sets the method of the base class on each socket.
    this.once("connect", () => {
      Reflect.set(this, "write", Reflect.get(CoalescingSocket.prototype, "write"));
    });
  }

  override write(
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | Written,
    written?: Written,
  ): boolean {
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        this.uncork();
      });
    }
    return typeof encoding === "string"
      ? super.write(chunk, encoding, written)
      : super.write(chunk, encoding ?? written);
  }
}
