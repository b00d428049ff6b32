import { credentialExpired } from "../../kernel/access/authorize.ts";
import { validCredentials } from "../../kernel/access/callers.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { tooManyRequests, unavailable } from "../../platform/errors.ts";
import { FairShare } from "../../platform/fair-share.ts";
import type { StreamItem } from "../../contract/event-envelope.ts";
import type { Subscription } from "./subscription.ts";
import type { UserStream } from "./user-stream.ts";

const checksPerPing = 15;

type AnyStream = Subscription<StreamItem> | UserStream;

/** The open streams of this process, within the limits of their users. */
export class Streams {
  readonly #streams = new Map<AnyStream, { checksSinceEnd: number }>();
  readonly #deps: Pick<Deps, "db" | "clock">;
  /** The open streams and waiting reads of each user: one for each workspace that is read. */
  readonly #shares: FairShare;
  #checks = 0;
  #isStopped = false;
  #isAuthenticating = false;

  constructor(deps: Pick<Deps, "db" | "clock">, perUser: number, retryAfterSeconds: number) {
    this.#deps = deps;
    const limits = { size: Number.MAX_SAFE_INTEGER, perCaller: perUser, perTenant: perUser };
    this.#shares = new FairShare(limits, () =>
      tooManyRequests(
        "too_many_streams",
        `You can have ${perUser} open streams and waiting reads. End one first.`,
        retryAfterSeconds,
      ),
    );
  }

  /** Counts a stream or a wait against the user's limit until it closes; 429 over the limit. */
  async hold<Held>(
    userId: bigint,
    logs: number,
    open: (onClose: () => void) => Promise<Held>,
  ): Promise<Held> {
    const ends: (() => void)[] = [];
    const onClose = () => {
      for (const end of ends.splice(0)) end();
    };
    try {
      while (ends.length < logs) ends.push(await this.#shares.acquire(String(userId)));
      return await open(onClose);
    } catch (error) {
      onClose();
      throw error;
    }
  }

  /** Opens a stream that counts as a number of logs; 429 when the user has too many. */
  async open<Stream extends AnyStream>(
    userId: bigint,
    logs: number,
    make: (onClose: () => void) => Promise<Stream>,
  ): Promise<Stream> {
    if (this.#isStopped) throw unavailable("shutting_down", "The service is shutting down.");
    return this.hold(userId, logs, async (endCount) => {
      const stream = await make(() => {
        this.#streams.delete(stream);
        endCount();
      });
      this.#streams.set(stream, { checksSinceEnd: 0 });
      return stream;
    });
  }

  /** Pings open streams, and disconnects clients that do not read the end of theirs. */
  check(): void {
    this.#checks++;
    const isPing = this.#checks % checksPerPing === 0;
    for (const [stream, state] of this.#streams) {
      if (!stream.isOver) {
        if (isPing) stream.ping?.();
      } else if (state.checksSinceEnd++ >= checksPerPing) stream.cut?.();
    }
  }

  /** Ends the streams whose credential has been revoked, or whose account has been deleted. */
  async authenticate(): Promise<void> {
    const open = [...this.#streams.keys()].filter((stream) => !stream.isOver);
    if (open.length === 0 || this.#isAuthenticating) return;
    this.#isAuthenticating = true;
    try {
      const { db, clock } = this.#deps;
      const credentials = open.map(({ credential }) => credential);
      const isValid = await validCredentials(db.read, credentials, clock());
      for (const stream of open) {
        if (!isValid(stream.credential)) stream.refuse(credentialExpired());
      }
    } finally {
      this.#isAuthenticating = false;
    }
  }

  end(): void {
    this.#isStopped = true;
    for (const stream of this.#streams.keys()) stream.end("over");
  }

  disconnect(): void {
    for (const stream of this.#streams.keys()) stream.cut?.();
  }
}
