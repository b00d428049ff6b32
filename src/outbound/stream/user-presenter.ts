import { credentialExpired } from "../../kernel/access/authorize.ts";
import { validCredentials } from "../../kernel/access/callers.ts";
import type { Cursors } from "../../kernel/events/cursor.ts";
import { readLogs, type LogRow } from "../../kernel/events/log.ts";
import { aheadOfLog } from "../../kernel/events/cursor.ts";
import { tracked } from "@trpc/server";
import { iso } from "../../contract/vocabulary/texts.ts";
import { UserEvent } from "../../contract/user-events.ts";
import { sql } from "../../platform/db/sql.ts";
import {
  selectNotifications,
  viewNotification,
  type NotificationRow,
} from "../notifications/view.ts";
import { mayActForEmailSql } from "../notifications/visible-notifications.ts";
import type { LogDeps, LogItem, LogTail } from "./log-tail.ts";
import type { Presenter } from "./presenter.ts";

/** The events of a user's log before they are shown. */
type OwnEvents = { tail: Pick<LogTail<UserEvent>, "log" | "cursors">; rows: LogRow[] };

/** Shows the events of users to them: those of many users by the same statements. */
export const userPresenter = (deps: LogDeps): Presenter<UserEvent> => ({
  of: "user",
  turnOf: () => "users",
  // Credentials and notifications are read after the events, so they are never older.
  async send(events) {
    const { db, clock } = deps;
    const credentials = events.flatMap(({ tail }) =>
      [...tail.listeners].map(({ reader }) => reader.credential),
    );
    const isValid = await validCredentials(db.read, credentials, clock());
    const itemsOf = await shownBy(deps, events);
    for (const each of events) {
      const items = itemsOf(each);
      for (const listener of each.tail.listeners) {
        if (!isValid(listener.reader.credential)) listener.refuse(credentialExpired());
        else listener.receive(items);
      }
    }
  },
  async readPage(tail, { credential }, { after, until, limit }) {
    const { db, clock } = deps;
    const logs = [{ id: tail.log.id, after }];
    const [batch] = await readLogs(db.read, { of: "user", logs, until, limit });
    if (batch === undefined || batch.isAhead) throw aheadOfLog("cursor");
    const isValid = await validCredentials(db.read, [credential], clock());
    if (!isValid(credential)) throw credentialExpired();
    const own = { tail, rows: batch.rows };
    const itemsOf = await shownBy(deps, [own]);
    return { items: itemsOf(own), end: batch.end, at: batch.at };
  },
});

/** Reads what the events show. */
async function shownBy(deps: LogDeps, events: readonly OwnEvents[]) {
  const notifications = await readNotifications(
    deps,
    events.flatMap(({ rows }) => rows),
  );
  const unproved = await readUnproved(deps, events);
  return ({ tail: { log, cursors }, rows }: OwnEvents): LogItem<UserEvent>[] =>
    rows.flatMap((row) => {
      if (typeOf(row) === "invitation.received" && unproved.has(log.id)) return [];
      const event = viewOf(row, notifications);
      return event === undefined ? [] : [{ row, item: itemOf(row, event, cursors) }];
    });
}

const itemOf = (row: LogRow, event: UserEvent, cursors: Cursors) =>
  tracked(cursors.write(row, row.createdAt), event);

/** The invited users whose address is not verified: another person may have registered it. */
async function readUnproved({ db, config }: LogDeps, events: readonly OwnEvents[]) {
  const ids = events.flatMap(({ tail, rows }) =>
    rows.some((row) => typeOf(row) === "invitation.received") ? [tail.log.id] : [],
  );
  if (ids.length === 0) return new Set<bigint>();
  const users = await db.read<{ id: bigint }>(
    sql`SELECT u.id FROM users u
      WHERE u.id = ANY (${ids}::bigint[]) AND NOT ${mayActForEmailSql(config)}`,
  );
  return new Set(users.map(({ id }) => id));
}

/** The notifications of events that their users can see now, by public id. */
async function readNotifications({ db, config }: LogDeps, rows: LogRow[]) {
  const ids = rows.flatMap((row) => notificationOf(row) ?? []);
  if (ids.length === 0) return new Map<string, NotificationRow>();
  const notifications = await db.read<NotificationRow>(
    sql`${selectNotifications(config)} AND n."inApp" AND n."publicId" = ANY (${ids}::text[])`,
  );
  return new Map(notifications.map((notification) => [notification.publicId, notification]));
}

/** Shows an event of a user; undefined for a notification that the user cannot see. */
function viewOf(row: LogRow, notifications: Map<string, NotificationRow>): UserEvent | undefined {
  const type = typeOf(row);
  const timestamp = iso(row.createdAt);
  const id = notificationOf(row);
  if (id === undefined) return UserEvent.parse({ type, timestamp, data: row.data });
  const notification = notifications.get(id);
  if (notification === undefined) return undefined;
  return {
    type: "notification.created",
    timestamp,
    data: { notification: viewNotification(notification) },
  };
}

/** The type of an event, which may be one of workspaces or of users. */
const typeOf = ({ type }: { type: string }): string => type;

/** The public id of the notification that an event is about; undefined for any other event. */
const notificationOf = (row: LogRow): string | undefined =>
  typeOf(row) === "notification.created" ? String(row.data["notificationPublicId"]) : undefined;
