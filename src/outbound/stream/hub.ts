import { setMaxListeners } from "node:events";
import type { Deps } from "../../kernel/request/deps.ts";
import type { Credential } from "../../kernel/access/credential.ts";
import type { EventHub } from "../../kernel/events/hub.ts";
import { unavailable } from "../../platform/errors.ts";
import { LogTails } from "./log-tails.ts";
import { openUserStream, subscriber } from "./open-streams.ts";
import { StreamLimit } from "./stream-limit.ts";
import type { Subscription } from "./subscription.ts";
import { UserLogs } from "./user-logs.ts";
import type { UserStream } from "./user-stream.ts";
import { createWatch } from "./watch.ts";

const pollMs = 1_000;
const pollsPerPing = 15;
/** How long clients have to read the end of their streams when the service stops. */
const closeMs = 1_000;
const maxStreamMs = 10 * 60_000;

/** Creates the hub. Notifications wake it, and a poll finds events without a notification. */
export function createHub(deps: Omit<Deps, "hub">): EventHub {
  const { db, clock, notifier, log, seal, config } = deps;
  const tails = new LogTails({ db, clock, seal, log, retentionDays: config.EVENT_DAYS }, notifier);
  const streams = new Streams(new StreamLimit(config.STREAM_LIMIT, maxStreamMs / 1_000));
  const users = new UserLogs({ db, clock, log });
  const endOf = (credential: Credential) => endOfStream(clock(), credential);
  const released = new AbortController();
  setMaxListeners(0, released.signal);
  const polling = new Polling(() => {
    if (tails.size === 0 && users.size === 0) return polling.stop();
    streams.check();
    Promise.all([tails.poll(), users.poll()]).catch((error: unknown) => {
      log.warn({ err: error }, "polling the event log failed");
    });
  });
  const useTail: LogTails["use"] = (owner) => {
    polling.start();
    return tails.use(owner);
  };
  const subscribe = subscriber(deps, useTail);

  return {
    follow: (owner, { reader, userId, from }) =>
      streams.open(userId, 1, (onClose) =>
        subscribe({ owner, reader, from }, endOf(reader.credential), onClose),
      ),
    followUser: (stream) =>
      streams.open(stream.userId, Math.max(1, stream.logs.length), (onClose) => {
        polling.start();
        return openUserStream(deps, users, subscribe, {
          ...stream,
          until: endOf(stream.credential),
          onClose,
        });
      }),
    async watch(owner) {
      const { tail, release } = await useTail(owner);
      return createWatch(tail, released.signal, release);
    },
    release: () => released.abort(),
    stop() {
      released.abort();
      streams.end();
      polling.stop();
      setTimeout(() => streams.disconnect(), closeMs).unref();
    },
  };
}

/** A random time before the maximum, so that streams that started together end apart. */
function endOfStream(now: Date, { expiresAt }: Credential): Date {
  const end = now.getTime() + maxStreamMs * (0.9 + 0.1 * Math.random());
  return new Date(Math.min(end, expiresAt ?? end));
}

/** A poll that runs every second between `start` and `stop`. */
class Polling {
  readonly #poll: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(poll: () => void) {
    this.#poll = poll;
  }

  start(): void {
    this.#timer ??= setInterval(this.#poll, pollMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

type OpenStream = Subscription | UserStream;

/** The open streams, with the number of polls since each one ended. */
class Streams {
  readonly #streams = new Map<OpenStream, { pollsSinceEnd: number }>();
  readonly #limit: StreamLimit;
  #polls = 0;
  #isStopped = false;

  constructor(limit: StreamLimit) {
    this.#limit = limit;
  }

  /** Opens a stream that counts as a number of logs; 429 when the user has too many. */
  async open<One extends OpenStream>(
    userId: bigint,
    logs: number,
    make: (onClose: () => void) => Promise<One>,
  ): Promise<One> {
    if (this.#isStopped) throw unavailable("shutting_down", "The service is shutting down.");
    const endCount = this.#limit.take(userId, logs);
    try {
      const stream = await make(() => {
        this.#streams.delete(stream);
        endCount();
      });
      this.#streams.set(stream, { pollsSinceEnd: 0 });
      return stream;
    } catch (error) {
      endCount();
      throw error;
    }
  }

  /** Pings open streams, and disconnects clients that do not read the end of theirs. */
  check(): void {
    this.#polls++;
    const isPing = this.#polls % pollsPerPing === 0;
    for (const [stream, state] of this.#streams) {
      if (!stream.isOver) {
        if (isPing) stream.ping?.();
      } else if (state.pollsSinceEnd++ >= pollsPerPing) stream.cut?.();
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
