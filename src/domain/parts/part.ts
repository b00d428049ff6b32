import type { cardParts } from "../../contract/resources/card-parts.ts";
import type { ShownParts } from "../../contract/fields/part.ts";
import type { z } from "zod";
import type { DroppedField as Dropped } from "../../contract/resources/custom-fields.ts";
import type { Permission } from "../../contract/vocabulary/permissions.ts";
import type { AccessibleList } from "../../kernel/access/accessible-list.ts";
import type { Caller } from "../../kernel/access/callers.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import type { PendingEvent } from "../../kernel/events/pending-event.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Card } from "../../platform/db/rows.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { CardRows, OnCard } from "./rows-sql.ts";

/** What lists of cards show of all parts. */
export type ShownSummary = ShownParts<typeof cardParts, "summary">;
/** What a card alone shows of all parts. */
export type ShownDetail = ShownParts<typeof cardParts, "detail">;
/** A value that a card has lost. */
export type DroppedField = z.infer<typeof Dropped>;

/** A row of a part as lists of cards read it: a thing with its names. */
export type SummaryRow = {
  cardId: bigint;
  /** The name of the part. */
  kind: string;
  publicId: string | null;
  name: string | null;
  extra: string | null;
};

/** What the row of a card counts. */
export type CardCounts = Pick<
  Card,
  "commentCount" | "itemCount" | "completedItemCount" | "attachmentCount"
>;

/** Whether the row of a card says that things of a part are on it. */
type CardFlags = Pick<Card, "hasLabels" | "hasMembers" | "hasFieldValues" | "hasRelations">;

/**
 * What the row of a card has of a part: nobody counts its rows, or looks for what is not there.
 *
 * It is set with the version of the card when an event changes the part, and by `keepParts` where
 * cards get or lose things without an event of each.
 */
export type KeptParts<Column extends keyof (CardCounts & CardFlags)> = {
  /** SQL: the columns of the card, with their values of the rows. */
  columns: Readonly<Partial<Record<Column, Sql>>>;
  /** SQL: the rows, and which are on the card with an id. */
  from: Sql;
  isOn: (cardId: Sql) => Sql;
  /** Whether an event says that the card has got, lost or changed things of the part. */
  isChangedBy(this: void, event: Pick<PendingEvent, "type" | "changes">): boolean;
};

/** A thing with a name, as it is read. */
export type NamedRow = { publicId: string; name: string; extra: string | null };

/** Things with a name that cards show, under a field that is a list, by their names. */
type Named = {
  field: {
    [Name in keyof ShownSummary]: ShownSummary[Name] extends object[] ? Name : never;
  }[keyof ShownSummary];
  columns: Record<"id" | "publicId" | "name" | "extra", Sql>;
  /** How many a card alone shows, if not all. */
  max?: number;
  view: (row: NamedRow) => object;
};

/** Counts of the row of a card, as cards show them. */
type Counted = { count: (card: CardCounts) => Partial<ShownSummary> };

/**
 * Values that cards show by the ids of what they are values of.
 *
 * Of a row, `publicId` is that id, `name` what `add` needs to know of it, and `extra` the value.
 */
type Keyed = {
  map: {
    [Name in keyof ShownSummary]: string extends keyof ShownSummary[Name] ? Name : never;
  }[keyof ShownSummary];
  columns: Record<"id" | "publicId" | "name" | "extra", Sql>;
  /** Adds the value of a row to those of a card. */
  add(this: void, values: Record<string, unknown>, row: NamedRow): void;
};

/**
 * Fields that are computed of all rows of a card, as JSON in the `name` of one row: none is read of
 * a card without rows, which shows `empty`.
 */
type Computed = {
  empty: Partial<ShownSummary>;
  columns: Record<"id" | "publicId" | "name" | "extra", Sql>;
};

/** What lists of cards show: of a card without things of a part, nothing is read. */
type SummaryPart =
  | { summary: Named | Keyed | Computed; kept: KeptParts<keyof CardFlags> }
  | { summary: Counted; kept: KeptParts<keyof CardCounts> };

export type Cell = string | number | null;

/** The columns of the CSV: of names, or of a total and what is done. */
type CsvPart = {
  columns: readonly string[];
  needs?: Permission;
  /** The columns that only the cards of a board have. */
  more?: (query: Query, boardId: bigint) => Promise<BoardColumns>;
};

/** Columns of the CSV of a board, and the cells of a card in them. */
export type BoardColumns = {
  names: string[];
  /** `listed` writes several names into a cell. */
  cells(this: void, things: object[], listed: (names: string[]) => string): Cell[];
};

/**
 * What is read of the rows of a part, and the things that they are: with all that any place shows
 * of them. What places leave out, their schemas do not have.
 */
export type RowsPart<Row extends OnCard = OnCard, Thing extends object = object> = CardRows & {
  /** The kind of its lines in snapshots. */
  kind: keyof ShownParts<typeof cardParts, "lines">;
  /** SQL: the bytes of the texts of a row. */
  textBytes: Sql;
  /** SQL: the board of what a row names, if it may be another one: its readers must see it. */
  otherBoard?: Sql;
  /** How many are shown on a public board, if not all: the latest. */
  latest?: number;
  /** Rows with an equal group are of one thing. */
  groupOf?(this: void, row: Row): string;
  /** The things of the rows of a card. Files have an address if `api` is given, that of REST. */
  things(this: void, rows: Row[], api?: string): Thing[];
  /** How cards, and lines of snapshots, show all things of a card, if not as a list. */
  together?(this: void, things: Thing[]): object;
  /** What exports have of a thing, if it differs. */
  stored?(this: void, thing: Thing): object;
  /** What public boards show of the things of a card, if it differs. */
  public?(this: void, things: Thing[]): object[];
  /** The ids of the users whose names a thing shows on a public board. */
  userOf?(this: void, thing: Thing): string | null;
  /** How many resources stored things contain, by the name of their count. */
  within?(this: void, things: Thing[]): Readonly<Record<string, number>>;
  /** How a card alone reads no more than some bytes of them, and whether it has more. */
  limited?: {
    json: (cardId: Sql, bytes: number) => Sql;
    isCut(this: void, things: Thing[]): boolean;
  };
};

/** The rows of a table that copies of cards have, beside the column of their parent. */
export type CopiedRows = {
  table: string;
  alias: string;
  /** SQL: the live rows, and which are on the card `c`, where they are not those of the part. */
  from?: Sql;
  isOn?: Sql;
  /** The columns that are copied, and those of them with texts. */
  columns?: readonly string[];
  texts?: readonly string[];
  /** Columns with members, which copies of boards do not have. */
  memberColumns?: readonly string[];
  /** SQL: the bytes of its file. */
  fileBytes?: Sql;
  /** SQL: inserts the copies of rows without an id of their own. */
  insert?: (copied: CopiedValues) => Sql;
  /** Writes what else copies have, of which it gets the ids. */
  complete?: (query: Query, ids: bigint[]) => Promise<void>;
  /** Of pairs: the column with what a card is paired with, and its table, if boards copy it. */
  pairedBy?: string;
  pairedWith?: string;
};

/** Rows to copy: their ids, the cards of the copies, and the copies of other rows by table. */
export type CopiedValues = {
  ids: bigint[];
  cardIds: (bigint | null)[];
  copies: ReadonlyMap<string, ReadonlyMap<bigint, bigint>>;
  workspaceId: bigint;
  withMembers: boolean;
};

type ToBoard = {
  caller: Caller;
  tx: UnitOfWork<"label.created">;
};

/** What the events of cards show that have moved to another board, by the ids of the cards. */
export type MovedParts = ReadonlyMap<bigint, { droppedFields?: DroppedField[] }>;

/** What hangs on a card: how each walker over cards reads and writes it. */
export type Part = SummaryPart & {
  /** SQL: its rows, and which are live and on the card with an id. */
  from: Sql;
  isOn: (cardId: Sql) => Sql;
  /** What is read where cards are shown in full, if it is more than the names of the summary. */
  rows?: RowsPart;
  csv: CsvPart;
  /** Parents first. */
  copied: readonly CopiedRows[];
  /**
   * Adapts cards that have moved to another board of their workspace; returns what their events
   * show.
   */
  toBoard?: (
    context: ToBoard,
    cardIds: bigint[],
    board: AccessibleList["board"],
  ) => Promise<MovedParts | void>;
  /** SQL: instead of a new `workspaceId`, for rows that move with a board, by their table. */
  toWorkspace?: Readonly<Record<string, (where: Sql, targetId: bigint) => Sql[]>>;
  /**
   * Where its rows name members, who must see the board of the card: `cardId` is SQL for the card
   * of a row. What names a member ends with the membership.
   */
  assigned?: {
    table: string;
    cardId: Sql;
    isOn: (cards: Sql) => Sql;
    unassign: (where: Sql) => Sql;
  };
  /**
   * A table that is purged apart, a batch at a time, before the others; it answers how many rows.
   * SQL: which of its rows keep the card `t`.
   */
  purged?: {
    table: string;
    purge: (deps: Pick<Deps, "db" | "files" | "clock">, before: Date) => Promise<number>;
    keeps: Sql;
  };
};
