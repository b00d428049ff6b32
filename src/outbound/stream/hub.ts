import { setMaxListeners } from "node:events";
import type { Logger } from "pino";
import type { Deps } from "../../kernel/request/deps.ts";
import type { Credential } from "../../kernel/access/credential.ts";
import type { EventHub, Watch } from "../../kernel/events/hub.ts";
import { LogTails, pollLogs } from "./log-tails.ts";
import { openUserStream, subscribe } from "./open-streams.ts";
import type { StreamLife } from "./open-stream.ts";
import { Streams } from "./streams.ts";
import { userPresenter } from "./user-presenter.ts";
import { workspacePresenter } from "./workspace-presenter.ts";
import type { LogTail } from "./log-tail.ts";

/** Watches a log tail for new events, also between two calls of `next`. */
function createWatch(
  tail: Pick<LogTail<unknown>, "watchers">,
  released: AbortSignal,
  onClose: () => void,
): Watch {
  let hasEvents = false;
  let wake: (() => void) | undefined;
  const watcher = () => {
    hasEvents = true;
    wake?.();
  };
  tail.watchers.add(watcher);
  return {
    async next(ms, aborted) {
      const signals = aborted === undefined ? [released] : [released, aborted];
      if (!hasEvents && !signals.some((signal) => signal.aborted)) {
        await new Promise<void>((resolve) => {
          const finish = () => {
            clearTimeout(timer);
            for (const signal of signals) signal.removeEventListener("abort", finish);
            resolve();
          };
          const timer = setTimeout(finish, ms);
          for (const signal of signals) signal.addEventListener("abort", finish);
          wake = finish;
        });
      }
      hasEvents = false;
    },
    get isReleased() {
      return released.aborted;
    },
    close() {
      tail.watchers.delete(watcher);
      onClose();
    },
  };
}

/** A poll that runs at an interval between `start` and `stop`. */
class Polling {
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

const pollMs = 1_000;
/** How often credentials are checked: a stream ends within a second after its session. */
const authenticateMs = 500;
/** How long clients have to read the end of their streams when the service stops. */
const closeMs = 1_000;
const maxStreamMs = 10 * 60_000;

/** Creates the hub. Notifications wake it, and a poll finds events without a notification. */
export function createHub(deps: Omit<Deps, "hub">): EventHub {
  const { db, clock, notifier, log, config } = deps;
  const workspaces = new LogTails(deps, notifier, workspacePresenter(deps));
  const users = new LogTails(deps, notifier, userPresenter(deps));
  const streams = new Streams({ db, clock }, config.STREAM_LIMIT, maxStreamMs / 1_000);
  const lifeOf = (credential: Credential, onClose: () => void): StreamLife => ({
    clock,
    until: endOfStream(clock(), credential),
    onClose,
  });
  const released = new AbortController();
  setMaxListeners(0, released.signal);
  const isIdle = () => workspaces.tails.length + users.tails.length === 0;
  const polling = new Polling(pollMs, () => {
    if (isIdle()) return polling.stop();
    streams.check();
    pollLogs(db.read, [workspaces, users]).catch(warn(log, "polling the event logs"));
  });
  const authenticating = new Polling(authenticateMs, () => {
    if (isIdle()) return authenticating.stop();
    streams.authenticate().catch(warn(log, "checking the credentials of streams"));
  });
  const startPolling = () => {
    polling.start();
    authenticating.start();
  };

  return {
    subscribe: (userId, source) =>
      streams.open(userId, 1, (onClose) => {
        startPolling();
        return subscribe(workspaces, source, lifeOf(source.reader.credential, onClose));
      }),
    subscribeUser: ({ own, logs }) =>
      streams.open(own.owner.id, Math.max(1, logs.length), (onClose) => {
        startPolling();
        const life = lifeOf(own.reader.credential, onClose);
        return openUserStream({ users, workspaces }, { own, logs }, life);
      }),
    watch: (owner, userId) =>
      streams.hold(userId, 1, async (endCount) => {
        startPolling();
        const { tail, release } = await workspaces.use(owner);
        return createWatch(tail, released.signal, () => {
          release();
          endCount();
        });
      }),
    isIdle,
    release: () => released.abort(),
    stop() {
      released.abort();
      streams.end();
      polling.stop();
      authenticating.stop();
      setTimeout(() => streams.disconnect(), closeMs).unref();
    },
  };
}

const warn = (log: Logger, activity: string) => (error: unknown) =>
  log.warn({ err: error }, `${activity} failed`);

/** A random time shortly before the maximum: streams that started together end apart. */
function endOfStream(now: Date, { expiresAt }: Credential): Date {
  const end = now.getTime() + maxStreamMs * (0.9 + 0.1 * Math.random());
  return new Date(Math.min(end, expiresAt ?? end));
}
