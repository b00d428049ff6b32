import { setMaxListeners } from "node:events";
import type { Deps } from "../../kernel/request/deps.ts";
import type { EventHub, UserLogSource } from "../../kernel/events/hub.ts";
import { endOfUserLog } from "../../kernel/events/user-log.ts";
import { unavailable } from "../../platform/errors.ts";
import { LogTails } from "./log-tails.ts";
import { StreamLimit } from "./stream-limit.ts";
import { Subscription } from "./subscription.ts";
import { UserLogs } from "./user-logs.ts";
import { UserStream } from "./user-stream.ts";
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
  const streams = new Streams();
  const users = new UserLogs({ db, clock, log });
  const streamLimit = new StreamLimit(config.STREAM_LIMIT, maxStreamMs / 1_000);
  const released = new AbortController();
  setMaxListeners(0, released.signal);
  let isStopped = false;
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
  const subscribe = async (
    { owner, reader, from }: UserLogSource,
    until: Date,
    onClose: () => void = () => undefined,
  ): Promise<Subscription> => {
    const { tail, release } = await useTail(owner);
    const start = from ?? { position: tail.position, cursor: tail.cursor };
    return new Subscription(deps, tail, { reader, from: start, until }, () => {
      release();
      onClose();
    });
  };

  return {
    async follow(owner, { reader, userId, from }) {
      if (isStopped) throw unavailable("shutting_down", "The service is shutting down.");
      const endCount = streamLimit.take(userId);
      try {
        const until = endOfStream(clock(), reader.credential.expiresAt);
        const stream = await subscribe({ owner, reader, from }, until, () => {
          streams.delete(stream);
          endCount();
        });
        streams.add(stream);
        return stream;
      } catch (error) {
        endCount();
        throw error;
      }
    },
    async followUser({ userId, credential, from, logs }) {
      if (isStopped) throw unavailable("shutting_down", "The service is shutting down.");
      const endCount = streamLimit.take(userId, Math.max(1, logs.length));
      const open = new Map<string, Subscription>();
      try {
        const until = endOfStream(clock(), credential.expiresAt);
        const position = from ?? (await endOfUserLog(db.read, userId));
        for (const log of logs) open.set(log.owner.publicId, await subscribe(log, until));
        const options = { userId, credential, position, until };
        const stream = new UserStream(deps, options, open, () => {
          streams.delete(stream);
          stopReading();
          endCount();
        });
        const stopReading = users.add(stream);
        streams.add(stream);
        polling.start();
        return stream;
      } catch (error) {
        for (const one of open.values()) one.close();
        endCount();
        throw error;
      }
    },
    async watch(owner) {
      const { tail, release } = await useTail(owner);
      return createWatch(tail, released.signal, release);
    },
    release: () => released.abort(),
    stop() {
      isStopped = true;
      released.abort();
      streams.end();
      polling.stop();
      setTimeout(() => streams.disconnect(), closeMs).unref();
    },
  };
}

/** A random time before the maximum, so that streams that started together end apart. */
function endOfStream(now: Date, expiresAt: number | undefined): Date {
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
  #polls = 0;

  add(stream: OpenStream): void {
    this.#streams.set(stream, { pollsSinceEnd: 0 });
  }

  delete(stream: OpenStream): void {
    this.#streams.delete(stream);
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
    for (const stream of this.#streams.keys()) stream.end("over");
  }

  disconnect(): void {
    for (const stream of this.#streams.keys()) stream.cut?.();
  }
}
