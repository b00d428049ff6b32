import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { connectListener, type Listening } from "../../platform/db/listen.ts";
import { publicId } from "../../platform/db/public-id.ts";
import type { Notifier } from "../../kernel/events/notifier.ts";

const channel = "workspace_events";
/** How many workspaces one notification names: it has room for 8,000 bytes. */
const mostNamed = 300;
/** Every notification takes a lock of the whole server for a moment: rings that are so close together go in one. */
const gapMs = 5;
const firstDelayMs = 100;
const longestDelayMs = 5_000;

/** A connection between the bells of all instances. */
export type NotificationBridge = { stop(): Promise<void> };

/** Carries rings to the other instances on the database behind `url`, and theirs here. It only wakes: while it is down, the poll finds what there is. */
export function connectNotifiers(url: string, bell: Notifier, log: Logger): NotificationBridge {
  const mine = publicId();
  const rung = new Set<bigint>();
  const stopping = new AbortController();
  let line: Listening | undefined;
  let timer: NodeJS.Timeout | undefined;
  let last = 0;

  const hear = (payload: string) => {
    const [from, ids = ""] = payload.split(":");
    if (from === mine || !/^[\d,]+$/.test(ids)) return;
    for (const id of ids.split(",")) bell.notifyRemote(BigInt(id));
  };
  const send = async () => {
    const ids = [...rung].slice(0, mostNamed);
    for (const id of ids) rung.delete(id);
    // Without a line nobody hears: the others poll.
    await line?.notify(`${mine}:${ids.join(",")}`).catch(() => undefined);
    last = performance.now();
    timer = undefined;
    if (rung.size > 0) plan();
  };
  const plan = () => {
    timer ??= setTimeout(() => void send(), Math.max(0, last + gapMs - performance.now()));
  };
  const deafen = bell.subscribe((workspaceId, isHere) => {
    if (!isHere) return;
    rung.add(workspaceId);
    plan();
  });

  const keep = async () => {
    let delayMs = firstDelayMs;
    while (!stopping.signal.aborted) {
      try {
        line = await connectListener(url, channel, hear);
        delayMs = firstDelayMs;
        await line.lost(stopping.signal);
      } catch (error) {
        log.warn({ err: error }, "the line to the other instances is down");
      }
      await line?.close();
      line = undefined;
      await pause(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      delayMs = Math.min(delayMs * 2, longestDelayMs);
    }
  };
  const kept = keep();
  return {
    async stop() {
      deafen();
      clearTimeout(timer);
      stopping.abort();
      await kept;
    },
  };
}
