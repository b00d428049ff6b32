import { credentialExpired } from "../../kernel/access/authorize.ts";
import { validCredentials } from "../../kernel/access/callers.ts";
import { aheadOfLog, verifiable } from "../../kernel/events/cursor.ts";
import { changedLogs, userLog } from "../../kernel/events/log-sql.ts";
import { readUserLogs, type UserLogRow } from "../../kernel/events/user-log.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { iso } from "../../contract/vocabulary/fields.ts";
import { UserEvent } from "../../contract/user-events.ts";
import { sql } from "../../platform/db/sql.ts";
import {
  selectNotifications,
  viewNotification,
  type NotificationRow,
} from "../notifications/view.ts";
import { mayActForEmailSql } from "../notifications/visible-notifications.ts";
import type { UserStream } from "./user-stream.ts";
import { getOrInsert } from "../../platform/maps.ts";

/** Reads the events of users, for the open streams of many of them in one statement. */
export class UserLogs {
  readonly #deps: Pick<Deps, "db" | "clock" | "log" | "config">;
  readonly #notifier: Deps["notifier"];
  readonly #streams = new Map<bigint, Set<UserStream>>();
  /** The users whose logs are read next. */
  readonly #changed = new Set<bigint>();
  #unsubscribe: (() => void) | undefined;
  #isReading = false;

  constructor(deps: Pick<Deps, "db" | "clock" | "log" | "config">, notifier: Deps["notifier"]) {
    this.#deps = deps;
    this.#notifier = notifier;
  }

  /** How many users have open streams. */
  get size(): number {
    return this.#streams.size;
  }

  /** Reads for a stream until the returned function is called. */
  add(stream: UserStream): () => void {
    const { userId } = stream;
    const streams = getOrInsert(this.#streams, userId, () => new Set()).add(stream);
    this.#unsubscribe ??= this.#notifier.subscribe(({ userIds }) => this.#wake(userIds));
    return () => {
      streams.delete(stream);
      if (streams.size === 0) this.#streams.delete(userId);
      if (this.#streams.size === 0) this.#stop();
    };
  }

  #stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  #wake(userIds: readonly bigint[]): void {
    this.#read(userIds).catch((error: unknown) => {
      // The next poll reads again.
      this.#deps.log.warn({ err: error }, "reading the events of users failed");
    });
  }

  /** Sends events of which no notification arrived. */
  async poll(): Promise<void> {
    const streams = [...this.#streams.values()].flatMap((streamsOfUser) => [...streamsOfUser]);
    if (streams.length === 0) return;
    const read = streams.map(({ userId: id, position }) => ({ id, position }));
    const users = await this.#deps.db.read<{ id: bigint }>(changedLogs(userLog(0n), read));
    await this.#read(users.map(({ id }) => id));
  }

  /** Sends the new events of users: one statement at a time, for all who wait for it. */
  async #read(userIds: Iterable<bigint>): Promise<void> {
    for (const id of userIds) if (this.#streams.has(id)) this.#changed.add(id);
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#changed.size > 0) await this.#readChanged();
    } finally {
      this.#isReading = false;
    }
  }

  async #readChanged(): Promise<void> {
    const ids = [...this.#changed];
    this.#changed.clear();
    const streams = ids
      .flatMap((id) => [...(this.#streams.get(id) ?? [])])
      .filter((stream) => stream.hasCapacity);
    if (streams.length === 0) return;
    const { db, clock, config } = this.#deps;
    const readers = streams.map(({ userId, position }) => ({
      userId,
      position: verifiable(position, clock(), config.EVENT_DAYS),
    }));
    const lists = await readUserLogs(db.read, readers);
    const updates = streams.flatMap((stream, index) => {
      const rows = lists[index];
      if (rows === undefined) stream.end(aheadOfLog("cursor"));
      return rows === undefined || rows.length === 0 ? [] : [{ stream, rows }];
    });
    if (updates.length > 0) await this.#send(updates);
  }

  // Credentials and notifications are read after the events, so they are never older.
  async #send(updates: { stream: UserStream; rows: UserLogRow[] }[]): Promise<void> {
    const { db, clock } = this.#deps;
    const credentials = updates.map(({ stream }) => stream.credential);
    const isValid = await validCredentials(db.read, credentials, clock());
    const rows = updates.flatMap((update) => update.rows);
    const notifications = await this.#notifications(rows);
    const unproved = await this.#unproved(rows);
    const show = (row: UserLogRow) =>
      row.type === "invitation.received" && unproved.has(row.userId)
        ? undefined
        : viewOf(row, notifications);
    for (const { stream, rows: ownRows } of updates) {
      if (!isValid(stream.credential)) stream.refuse(credentialExpired());
      else stream.receive(ownRows.map((row) => ({ position: row, event: show(row) })));
    }
  }

  /** The invited users whose address is not verified: another person may have registered it. */
  async #unproved(rows: UserLogRow[]): Promise<Set<bigint>> {
    const ids = rows.flatMap(({ type, userId }) =>
      type === "invitation.received" ? [userId] : [],
    );
    if (ids.length === 0) return new Set();
    const { db, config } = this.#deps;
    const users = await db.read<{ id: bigint }>(
      sql`SELECT u.id FROM users u
        WHERE u.id = ANY (${ids}::bigint[]) AND NOT ${mayActForEmailSql(config)}`,
    );
    return new Set(users.map(({ id }) => id));
  }

  /** The notifications of events that their users can see now, by public id. */
  async #notifications(rows: UserLogRow[]): Promise<Map<string, NotificationRow>> {
    const ids = rows.flatMap((row) =>
      row.type === "notification.created" ? [row.data.notificationPublicId] : [],
    );
    if (ids.length === 0) return new Map();
    const { db, config } = this.#deps;
    const notifications = await db.read<NotificationRow>(
      sql`${selectNotifications(config)} AND n."inApp" AND n."publicId" = ANY (${ids}::text[])`,
    );
    return new Map(notifications.map((notification) => [notification.publicId, notification]));
  }
}

/** Shows an event of a user; undefined for a notification that the user cannot see. */
function viewOf(
  row: UserLogRow,
  notifications: Map<string, NotificationRow>,
): UserEvent | undefined {
  const timestamp = iso(row.createdAt);
  if (row.type !== "notification.created") {
    return UserEvent.parse({ type: row.type, timestamp, data: row.data });
  }
  const notification = notifications.get(row.data.notificationPublicId);
  if (notification === undefined) return undefined;
  return { type: row.type, timestamp, data: { notification: viewNotification(notification) } };
}
