import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import type { Notifier } from "../../kernel/events/notifier.ts";
import { connectListener, type Listening } from "../../platform/db/listen.ts";
import { publicId } from "../../platform/db/public-id.ts";

const channel = "workspace_events";
/** How many workspaces one notification names: it can have 8,000 bytes. */
const maxIds = 300;
/** The least time between two notifications. Each takes a lock of the whole server. */
const gapMs = 5;
const firstRetryMs = 100;
const maxRetryMs = 5_000;

/** The connection between the notifiers of several instances. */
export type NotificationBridge = { stop(): Promise<void> };

/**
 * Sends the notifications of this instance to the others, and theirs to this one.
 *
 * A notification only shortens a wait. While the connection is down, polls find new events.
 */
export function connectNotifiers(url: string, notifier: Notifier, log: Logger): NotificationBridge {
  const instanceId = publicId();
  const changed = new Set<bigint>();
  const stopping = new AbortController();
  let connection: Listening | undefined;
  let timer: NodeJS.Timeout | undefined;
  let sentAt = 0;

  const receive = (payload: string) => {
    const [sender, ids = ""] = payload.split(":");
    if (sender === instanceId || !/^[\d,]+$/.test(ids)) return;
    for (const id of ids.split(",")) notifier.notifyRemote(BigInt(id));
  };
  const send = async () => {
    const ids = [...changed].slice(0, maxIds);
    for (const id of ids) changed.delete(id);
    await connection?.notify(`${instanceId}:${ids.join(",")}`).catch(() => undefined);
    sentAt = performance.now();
    timer = undefined;
    if (changed.size > 0) schedule();
  };
  const schedule = () => {
    timer ??= setTimeout(() => void send(), Math.max(0, sentAt + gapMs - performance.now()));
  };
  const unsubscribe = notifier.subscribe((workspaceId, isHere) => {
    if (!isHere) return;
    changed.add(workspaceId);
    schedule();
  });

  const connect = async () => {
    let retryMs = firstRetryMs;
    while (!stopping.signal.aborted) {
      try {
        connection = await connectListener(url, channel, receive);
        retryMs = firstRetryMs;
        await connection.lost(stopping.signal);
      } catch (error) {
        log.warn({ err: error }, "the connection for notifications is down");
      }
      await connection?.close();
      connection = undefined;
      await pause(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      retryMs = Math.min(retryMs * 2, maxRetryMs);
    }
  };
  const connecting = connect();
  return {
    async stop() {
      unsubscribe();
      clearTimeout(timer);
      stopping.abort();
      await connecting;
    },
  };
}
