import type { CollectionConfig } from "@tanstack/db";
import type { BoardStore, BoardView, Store } from "../store/index.ts";

/** The options of a collection whose rows have a public id. */
export type BoardCollectionConfig<Row extends object> = CollectionConfig<Row, string>;

/** What a collection has of a board, and how its rows are changed. */
export type Source<Row> = {
  /** The kind of the rows, such as `cards`. */
  name: string;
  rowsOf: (board: BoardView) => Row[];
  insert: (board: BoardStore, row: Row) => void;
  update: (board: BoardStore, row: Row, changes: Partial<Row>, original: Row) => void;
  delete: (board: BoardStore, publicId: string) => void;
};

/**
 * The options of a collection of a board.
 *
 * A change is in the store when its transaction completes: the store shows it, sends it and rolls
 * it back. An open transaction would delay the events of others.
 */
export function boardCollection<Row extends { publicId: string }>(
  store: Store,
  boardPublicId: string,
  source: Source<Row>,
): BoardCollectionConfig<Row> {
  const board = store.board(boardPublicId);
  return {
    id: `${source.name} ${boardPublicId}`,
    getKey: ({ publicId }) => publicId,
    sync: { rowUpdateMode: "full", sync: (sync) => follow(board, source, sync) },
    onInsert: async ({ transaction }) => {
      for (const { modified } of transaction.mutations) source.insert(board, modified);
    },
    onUpdate: async ({ transaction }) => {
      for (const { modified, changes, original } of transaction.mutations) {
        source.update(board, modified, changes, original);
      }
    },
    onDelete: async ({ transaction }) => {
      for (const { key } of transaction.mutations) source.delete(board, key);
    },
  };
}

type Sync<Row extends object> = Parameters<BoardCollectionConfig<Row>["sync"]["sync"]>[0];

/** Writes the rows of a board that change to its collection. */
function follow<Row extends { publicId: string }>(
  board: BoardStore,
  { rowsOf }: Source<Row>,
  { begin, write, commit, markReady, markError }: Sync<Row>,
) {
  let shownRows = new Map<string, Row>();
  const show = () => {
    const { status, board: view, error } = board.get();
    if (status === "loading") return;
    const rows = new Map(
      (view === undefined ? [] : rowsOf(view)).map((row) => [row.publicId, row]),
    );
    begin();
    for (const key of shownRows.keys()) if (!rows.has(key)) write({ type: "delete", key });
    for (const [key, row] of rows) {
      const last = shownRows.get(key);
      if (last === undefined) write({ type: "insert", value: row });
      else if (!isEqual(last, row)) write({ type: "update", value: row });
    }
    // It waits for an open transaction of the collection.
    void commit();
    shownRows = rows;
    if (status === "ready") markReady();
    else markError(error);
  };
  const stop = board.subscribe(show);
  show();
  return stop;
}

/** Whether two rows have the same values. The store shares the parts that did not change. */
const isEqual = (one: object, other: object) => {
  const values = new Map(Object.entries(one));
  return Object.entries(other).every(([name, value]) => Object.is(values.get(name), value));
};

/** Refuses changes of fields that the service sets. */
export function checkFields(changes: object, allowed: readonly string[]): void {
  for (const name of Object.keys(changes)) {
    if (allowed.includes(name)) continue;
    throw new Error(`The field "${name}" cannot be changed. Fields: ${allowed.join(", ")}.`);
  }
}
