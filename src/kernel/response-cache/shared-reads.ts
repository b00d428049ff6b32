/** A running read, and the next one, which starts when it ends. */
type RunningRead<Joined> = { ended: Promise<unknown>; next?: Promise<Joined> };

const ignore = () => undefined;

/**
 * Lets simultaneous calls share their reads.
 *
 * One read of a key runs at a time. Calls that arrive meanwhile share the next one, so that none
 * gets data from before it arrived.
 */
export class SharedReads<Joined> {
  readonly #running = new Map<string, RunningRead<Joined>>();

  /** Starts a read, or joins the next one of the same key. All reads of a key read the same. */
  join(key: string, read: () => Promise<Joined>): Promise<Joined> {
    const running = this.#running.get(key);
    if (running === undefined) return this.#start(key, read);
    running.next ??= running.ended.then(() => this.#start(key, read));
    return running.next;
  }

  /**
   * Runs a read that stores what it has read.
   *
   * While another read of the key runs, it waits for that one, and reads only if `find` does not
   * find what was stored.
   */
  async once<Result>(
    key: string,
    find: () => Promise<Result | undefined>,
    read: () => Promise<Result>,
  ): Promise<Result> {
    const running = this.#running.get(key);
    if (running === undefined) return this.#start(key, read);
    await running.ended;
    const stored = await find();
    if (stored !== undefined) return stored;
    return this.#running.has(key) ? read() : this.#start(key, read);
  }

  #start<Result>(key: string, read: () => Promise<Result>): Promise<Result> {
    const result = read();
    const running: RunningRead<Joined> = { ended: result.then(ignore, ignore) };
    this.#running.set(key, running);
    void this.#end(key, running);
    return result;
  }

  async #end(key: string, running: RunningRead<Joined>): Promise<void> {
    await running.ended;
    if (running.next === undefined) this.#running.delete(key);
  }
}
