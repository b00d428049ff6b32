import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import { logNamed, nameOf } from "../../kernel/events/logs.ts";
import type { LogChange, Notifier } from "../../kernel/events/notifier.ts";
import { noDatabase } from "../../platform/db/database-errors.ts";
import { openOwnConnection, type OwnConnection } from "../../platform/db/own-connection.ts";
import { publicId } from "../../platform/db/public-id.ts";

const channel = "workspace_events";
/** How many logs one notification names: it can have 8,000 bytes. */
const maxNames = 300;
/** The least time between two notifications. Each takes a lock of the whole server. */
const pauseMs = 5;
const firstRetryMs = 100;
const maxRetryMs = 5_000;

/** How often an instance announces itself, and how long it then counts as running. */
const helloMs = 10_000;
const presenceMs = 3 * helloMs;

/** The connection between the notifiers of several instances. */
export type NotificationBridge = {
  /** How many other instances are running. */
  readonly otherInstances: number;
  stop(): Promise<void>;
};

/**
 * Sends the notifications of this instance to the others, and theirs to this one.
 *
 * A notification only shortens a wait. While the connection is down, polls find new events. A
 * single instance sends nothing: each costs a statement, and a lock of the whole server.
 */
export function connectNotifiers(url: string, notifier: Notifier, log: Logger): NotificationBridge {
  const instanceId = publicId();
  /** The names of logs with new events, and whether these are work for workers. */
  const changes = new Map<string, boolean>();
  const presence = new Presence();
  const stopping = new AbortController();
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let sentAt = 0;

  const receive = (payload: string) => {
    const [sender = "", text = ""] = payload.split(":");
    if (sender === instanceId) return;
    if (presence.record(sender)) greet();
    for (const change of changesIn(text)) notifier.notify({ ...change, isHere: false });
  };
  const notify = async (text: string) => {
    const payload = `${instanceId}:${text}`;
    await client?.query("SELECT pg_notify($1, $2)", [channel, payload]).catch(() => undefined);
  };
  const greet = () => void notify("hello");
  const send = async () => {
    const batch = [...changes].slice(0, maxNames);
    for (const [name] of batch) changes.delete(name);
    const names = batch.map(([name, hasWork]) => (hasWork ? `${name}w` : name));
    await notify(names.join(","));
    sentAt = performance.now();
    timer = undefined;
    if (changes.size > 0) schedule();
  };
  const schedule = () => {
    timer ??= setTimeout(() => void send(), Math.max(0, sentAt + pauseMs - performance.now()));
  };
  const unsubscribe = notifier.subscribe((notification) => {
    if (!notification.isHere || presence.count === 0) return;
    const name = nameOf(notification.log);
    changes.set(name, notification.hasWork || changes.get(name) === true);
    schedule();
  });
  const greeting = setInterval(greet, helloMs);

  const use = (now: pg.Client | undefined) => {
    client = now;
    greet();
  };
  const connecting = stayConnected(url, receive, use, log, stopping.signal);
  return {
    get otherInstances() {
      return presence.count;
    },
    async stop() {
      unsubscribe();
      clearTimeout(timer);
      clearInterval(greeting);
      stopping.abort();
      await connecting;
    },
  };
}

/** Listens over a connection, and over another when it is lost, until the signal. */
async function stayConnected(
  url: string,
  receive: (payload: string) => void,
  use: (client: pg.Client | undefined) => void,
  log: Logger,
  until: AbortSignal,
): Promise<void> {
  let retryMs = firstRetryMs;
  while (!until.aborted) {
    let connection: OwnConnection | undefined;
    try {
      connection = await openOwnConnection(url, "wire");
      const { client, ended } = connection;
      client.on("notification", ({ payload = "" }) => receive(payload));
      await client.query(`LISTEN ${channel}`);
      use(client);
      retryMs = firstRetryMs;
      if (!until.aborted) await Promise.race([ended, once(until, "abort")]);
      if (!until.aborted) throw new Error("The connection was lost.");
    } catch (error) {
      log.warn({ err: noDatabase(error) }, "the connection for notifications is down");
    }
    use(undefined);
    await connection?.close();
    await pause(retryMs, undefined, { signal: until }).catch(() => undefined);
    retryMs = Math.min(retryMs * 2, maxRetryMs);
  }
}

/** Parses `1,2w,u3`: the logs of workspaces 1 and 2 (with work for workers) and of user 3. */
const changesIn = (text: string): Omit<LogChange, "isHere">[] =>
  text.split(",").flatMap((name) => {
    const log = logNamed(name.replace(/w$/, ""));
    return log === undefined ? [] : [{ log, hasWork: name.endsWith("w") }];
  });

/** Tracks the other instances by what they have sent lately. */
class Presence {
  readonly #seenAt = new Map<string, number>();

  /** Records that an instance is running; returns whether it is new. */
  record(instance: string): boolean {
    const isNew = !this.#seenAt.has(instance);
    this.#seenAt.set(instance, performance.now());
    return isNew;
  }

  get count(): number {
    const since = performance.now() - presenceMs;
    for (const [instance, at] of this.#seenAt) if (at < since) this.#seenAt.delete(instance);
    return this.#seenAt.size;
  }
}
