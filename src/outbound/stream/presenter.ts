import type { LogPosition } from "../../kernel/events/cursor.ts";
import type { LogOwner } from "../../kernel/events/hub.ts";
import type { LogReader } from "../../kernel/events/log-sql.ts";
import type { Log } from "../../kernel/events/logs.ts";
import type { LogRow } from "../../kernel/events/log.ts";
import type { LogItem, LogTail } from "./log-tail.ts";

/** The new events of a log. */
export type NewEvents<Item> = { tail: LogTail<Item>; rows: LogRow[] };

/** A page of a log as its reader sees it, with the position read to and its time for a cursor. */
export type ItemPage<Item> = { items: LogItem<Item>[]; end: LogPosition; at: Date | null };

/** Shows the events of logs of one kind to their readers, as they may see them at that moment. */
export type Presenter<Item> = {
  readonly of: Log["of"];
  /** Whose turn the read of a log is: logs with the same turn are read together. */
  turnOf(owner: LogOwner): string;
  /** Sends new events to the listeners of their tails. */
  send(events: readonly NewEvents<Item>[]): Promise<void>;
  /** Reads a page of earlier events. */
  readPage(
    tail: LogTail<Item>,
    reader: LogReader,
    range: { after: LogPosition; until: LogPosition; limit: number },
  ): Promise<ItemPage<Item>>;
};
