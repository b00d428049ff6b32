import { Socket } from "node:net";

/**
 * A connection to PostgreSQL that sends the statements of one turn of the event loop together.
 *
 * `pg` corks its connection for each statement; each write to the network costs as much CPU as a
 * simple statement.
 */
export class TurnSocket extends Socket {
  #isHeld = false;

  override cork(): void {
    super.cork();
    if (this.#isHeld) return;
    this.#isHeld = true;
    super.cork();
    process.nextTick(() => {
      this.#isHeld = false;
      this.uncork();
    });
  }
}
