import { credentialExpired } from "../../kernel/access/authorize.ts";
import { validCredentials } from "../../kernel/access/valid-credentials.ts";
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
import type { UserStream } from "./user-stream.ts";

/** Reads the events of users, for all their open streams in one statement. */
export class UserLogs {
  readonly #deps: Pick<Deps, "db" | "clock" | "log">;
  readonly #streams = new Set<UserStream>();
  #isReading = false;

  constructor(deps: Pick<Deps, "db" | "clock" | "log">) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Reads for a stream until the returned function is called. */
  add(stream: UserStream): () => void {
    this.#streams.add(stream);
    return () => void this.#streams.delete(stream);
  }

  /** Sends the new events of all users. */
  async poll(): Promise<void> {
    const streams = [...this.#streams].filter((one) => one.hasCapacity);
    if (streams.length === 0 || this.#isReading) return;
    this.#isReading = true;
    try {
      const lists = await readUserLogs(this.#deps.db.read, streams);
      const found = streams.flatMap((stream, index) => {
        const rows = lists[index] ?? [];
        return rows.length === 0 ? [] : [{ stream, rows }];
      });
      if (found.length > 0) await this.#send(found);
    } finally {
      this.#isReading = false;
    }
  }

  // Credentials and notifications are read after the events, so they are never older.
  async #send(found: { stream: UserStream; rows: UserLogRow[] }[]): Promise<void> {
    const { db, clock } = this.#deps;
    const credentials = found.map(({ stream }) => stream.credential);
    const isValid = await validCredentials(db.read, credentials, clock());
    const shown = await this.#notifications(found.flatMap(({ rows }) => rows));
    for (const { stream, rows } of found) {
      if (!isValid(stream.credential)) stream.refuse(credentialExpired());
      else stream.receive(rows.map((row) => ({ position: row, event: viewOf(row, shown) })));
    }
  }

  /** The notifications of events that their users can see now, by public id. */
  async #notifications(rows: UserLogRow[]): Promise<Map<string, NotificationRow>> {
    const ids = rows.flatMap((row) =>
      row.type === "notification.created" ? [row.data.notificationPublicId] : [],
    );
    if (ids.length === 0) return new Map();
    const found = await this.#deps.db.read<NotificationRow>(
      sql`${selectNotifications} AND n."inApp" AND n."publicId" = ANY (${ids}::text[])`,
    );
    return new Map(found.map((one) => [one.publicId, one]));
  }
}

/** Shows an event of a user; undefined for a notification that the user cannot see. */
function viewOf(row: UserLogRow, shown: Map<string, NotificationRow>): UserEvent | undefined {
  const timestamp = iso(row.createdAt);
  if (row.type !== "notification.created") {
    return UserEvent.parse({ type: row.type, timestamp, data: row.data });
  }
  const found = shown.get(row.data.notificationPublicId);
  if (found === undefined) return undefined;
  return { type: row.type, timestamp, data: { notification: viewNotification(found) } };
}
