import { cursorsOf } from "../../kernel/events/cursor.ts";
import type { EventHub, LogSource } from "../../kernel/events/hub.ts";
import { readCursor } from "../../kernel/events/log.ts";
import type { Log } from "../../kernel/events/logs.ts";
import type { ReadDeps } from "../../kernel/request/deps.ts";
import type { LogTails } from "./log-tails.ts";
import type { StreamItem } from "../../contract/event-envelope.ts";
import type { UserEvent } from "../../contract/user-events.ts";
import type { StreamLife } from "./open-stream.ts";
import { Subscription } from "./subscription.ts";
import { UserStream } from "./user-stream.ts";

/** Opens a stream of a log. */
export async function subscribe<Item>(
  tails: LogTails<Item>,
  { owner, reader, from }: LogSource,
  life: StreamLife,
): Promise<Subscription<Item>> {
  const { tail, release } = await tails.use(owner);
  const start = from ?? { position: tail.position, cursor: tail.cursor };
  const onClose = () => {
    release();
    life.onClose();
  };
  return new Subscription(tails.presenter, tail, { reader, from: start }, { ...life, onClose });
}

/** Opens the stream of a user with the logs of some workspaces. */
export async function openUserStream(
  { users, workspaces }: { users: LogTails<UserEvent>; workspaces: LogTails<StreamItem> },
  { own, logs }: Parameters<EventHub["subscribeUser"]>[0],
  life: StreamLife,
): Promise<UserStream> {
  const ofLog = { ...life, onClose: () => undefined };
  const ownLog = await subscribe(users, own, ofLog);
  const open = new Map<string, Subscription<StreamItem>>();
  try {
    for (const source of logs) {
      open.set(source.owner.publicId, await subscribe(workspaces, source, ofLog));
    }
    return new UserStream(ownLog, open, life);
  } catch (error) {
    for (const subscription of [ownLog, ...open.values()]) subscription.close();
    throw error;
  }
}

/** The position and the cursor from which a log is read; undefined for new events only. */
export async function startOf(
  { db, seal, clock, config }: ReadDeps,
  log: Log,
  { field, cursor }: { field: string; cursor: string | undefined },
): Promise<LogSource["from"]> {
  if (cursor === undefined) return undefined;
  const cursors = cursorsOf(seal, log, config.EVENT_DAYS);
  const position = await readCursor(db.read, log, cursors, { cursor, now: clock(), field });
  return { position, cursor };
}
