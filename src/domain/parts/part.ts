import type { cardParts } from "../../contract/resources/card-parts.ts";
import type { ShownParts } from "../../contract/fields/part.ts";
import type { z } from "zod";
import type { DroppedField as Dropped } from "../../contract/resources/fields.ts";
import type { SnapshotLine } from "../../contract/resources/snapshot.ts";
import type { Permission } from "../../contract/vocabulary/permissions.ts";
import type { AccessibleList } from "../../kernel/access/accessible-list.ts";
import type { Caller } from "../../kernel/access/callers.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Sql, Value } from "../../platform/db/sql.ts";
import type { OnCard, RowsOnCards } from "./rows-sql.ts";

/** What lists of cards show of all parts. */
export type ShownSummary = ShownParts<typeof cardParts, "summary">;
/** What a card alone shows of all parts. */
export type ShownDetail = ShownParts<typeof cardParts, "detail">;
/** A value that a card has lost. */
export type DroppedField = z.infer<typeof Dropped>;
type Public = ShownParts<typeof cardParts, "public">;
type Stored = ShownParts<typeof cardParts, "stored">;
type LineKind = keyof ShownParts<typeof cardParts, "lines">;

/** A row of a part as lists of cards read it: a thing with its names, or two counts. */
export type SummaryRow = {
  cardId: bigint;
  /** The name of the part. */
  kind: string;
  publicId: string | null;
  name: string | null;
  extra: string | null;
  total: bigint;
  done: bigint;
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
  /**
   * What boards show once, by the `id` that their cards name: rows of views, with their `rank`
   * among those of a card. It reads those of some cards, or of the whole board. Without it, they
   * are what the board itself shows.
   */
  views?: (boardId: bigint, cardIds?: readonly string[]) => Sql;
};

/** A count that cards show; `done` is how many of them are completed. */
type Counted = {
  total: Sql;
  done?: Sql;
  count: (total: number, done: number) => Partial<ShownSummary>;
};

/**
 * Values that cards show by the ids of what they are values of, which the board itself shows.
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
  /** What `add` needs to know, of what the board shows. */
  nameOf(this: void, view: object): string;
};

/** What lists of cards show. */
type SummaryPart = Named | Counted | Keyed;

/** What a card alone shows. Its statement reads one column, whose rows are JSON: dates are texts. */
export type DetailPart = {
  read: (cardId: Sql, itemBytes: number) => Sql;
  /** What is read of a card that has none. */
  none: unknown;
  /** `api` is the address of REST. */
  show(this: void, read: unknown, api: string): object;
  /** Whether a card has more than `itemBytes` let be read. */
  isCut?(this: void, read: unknown): boolean;
};

/** What the card `c` of a public board shows, without ids: a column with an array as JSON. */
type PublicPart = {
  field: keyof Public;
  column: Sql;
  bytes: Sql;
  show(this: void, values: object[]): object[];
  /** The ids of the users whose names are shown. */
  users?(this: void, values: object[]): (string | null)[];
};

/** The columns of the CSV: of names, or of a total and what is done. */
type CsvPart = {
  columns: readonly string[];
  needs?: Permission;
  /** The columns that only the cards of a board have. */
  more?: (query: Query, boardId: bigint) => Promise<BoardColumns>;
};

export type Cell = string | number | null;

/** Columns of the CSV of a board, and the cells of cards in them, by the ids of the cards. */
export type BoardColumns = {
  names: string[];
  /** `listed` is the SQL of one of several names in a cell. */
  cells: (cardIds: bigint[], listed: (name: Sql) => Sql) => Promise<Map<bigint, Cell[]>>;
};

/** What a reader of rows knows of them. */
export type LineContext = {
  query: Query;
  workspaceId: bigint;
  /** The address of REST. */
  api: string;
  cardOf: (row: OnCard) => string;
};

/** Rows on cards that exports and snapshots read in pages. */
export type RowsPart<Row extends OnCard = OnCard, Kind extends LineKind = LineKind> = {
  statement: RowsOnCards;
  /** The key before the first row. */
  start: readonly [first: Value, second: Value];
  /** Rows with an equal group are of one thing. */
  groupOf?(this: void, row: Row): string;
  stored(this: void, rows: Row[]): object[];
  /** How many resources stored ones contain, by the name of their count. */
  within?(this: void, stored: object[]): Readonly<Record<string, number>>;
  kind: Kind;
  lines(
    this: void,
    rows: Row[],
    context: LineContext,
  ): SnapshotLine<Kind>[] | Promise<SnapshotLine<Kind>[]>;
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
export type Part = {
  /** SQL: its rows, and which are live and on the card with an id. */
  from: Sql;
  /** The same without look-ups, where the cards of a whole board are read at once. */
  fromBoard?: Sql;
  isOn: (cardId: Sql) => Sql;
  summary: SummaryPart;
  /** Without it, a card alone shows what lists of cards do. */
  detail?: DetailPart;
  public?: PublicPart;
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
  exported: { ids: keyof Stored } | { rows: RowsPart };
};
