import { setMaxListeners } from "node:events";
import type { Deps } from "../../kernel/request/deps.ts";
import { tooManyRequests, unavailable } from "../../platform/errors.ts";
import type { EventHub, LogOwner } from "../../kernel/events/hub.ts";
import { Subscription } from "./subscription.ts";
import { LogTails } from "./log-tails.ts";
import { createWatch } from "./watch.ts";

const pollMs = 1_000;
const pollsPerPing = 15;
/** How long clients have to take the end when all streams end. */
const lastWordsMs = 1_000;
const longestMs = 10 * 60_000;

/** A hub that nobody uses does nothing. Rings of the bell wake it, and a poll finds what no ring told of. */
export function createHub(deps: Omit<Deps, "hub">): EventHub {
  const { db, clock, notifier, log, seal, config } = deps;
  const topics = new LogTails({ db, clock, seal, log, keptDays: config.EVENT_DAYS }, notifier);
  const followers = new Map<Subscription, { overSince: number | undefined }>();
  const streamsOf = new Map<bigint, number>();
  const released = new AbortController();
  setMaxListeners(0, released.signal);
  let stopped = false;
  let polls = 0;
  let timer: NodeJS.Timeout | undefined;

  const poll = () => {
    if (topics.size === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    polls++;
    for (const [follower, state] of followers) {
      if (follower.isOver) state.overSince ??= polls;
      else if (polls % pollsPerPing === 0) follower.ping?.();
      // It has been over for so long, and its client has not even taken that.
      if (polls - (state.overSince ?? polls) >= pollsPerPing) follower.cut?.();
    }
    topics.poll().catch((error: unknown) => {
      log.warn({ err: error }, "the events could not be polled");
    });
  };
  const use = (home: LogOwner) => {
    timer ??= setInterval(poll, pollMs).unref();
    return topics.use(home);
  };

  /** Counts a stream of somebody's until the answer is called. */
  const take = (userId: bigint) => {
    const open = streamsOf.get(userId) ?? 0;
    if (open >= config.STREAM_LIMIT) {
      throw tooManyRequests(
        `You have ${open} streams open, and there may be no more.`,
        longestMs / 1_000,
      );
    }
    streamsOf.set(userId, open + 1);
    return () => {
      const left = (streamsOf.get(userId) ?? 1) - 1;
      if (left === 0) streamsOf.delete(userId);
      else streamsOf.set(userId, left);
    };
  };

  return {
    async follow(home, { reader, userId, from }) {
      if (stopped) throw unavailable("The service is shutting down.");
      const giveBack = take(userId);
      try {
        const { topic, letGo } = await use(home);
        const start = from ?? { position: topic.position, cursor: topic.cursor };
        const leave = () => {
          followers.delete(follower);
          letGo();
          giveBack();
        };
        // Not all at the same time, when all came at the same time.
        const own = clock().getTime() + longestMs * (0.9 + 0.1 * Math.random());
        const until = new Date(Math.min(own, reader.credential.expiresAt ?? own));
        const follower = new Subscription(deps, topic, { reader, from: start, until }, leave);
        followers.set(follower, { overSince: undefined });
        return follower;
      } catch (error) {
        giveBack();
        throw error;
      }
    },
    async watch(home) {
      const { topic, letGo } = await use(home);
      return createWatch(topic, released.signal, letGo);
    },
    release: () => released.abort(),
    stop() {
      stopped = true;
      released.abort();
      for (const follower of followers.keys()) follower.end("over");
      clearInterval(timer);
      timer = undefined;
      const cut = () => {
        for (const follower of followers.keys()) follower.cut?.();
      };
      setTimeout(cut, lastWordsMs).unref();
    },
  };
}
