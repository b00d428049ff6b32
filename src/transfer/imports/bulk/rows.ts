import type { Query } from "../../../platform/db/query.ts";
import type {
  Attachment,
  Board,
  Card,
  Checklist,
  ChecklistItem,
  Comment,
  Label,
  List,
} from "../../../platform/db/rows.ts";

/** The tables of things that have a public id, with their rows. */
type Rows = {
  boards: Board;
  lists: List;
  labels: Label;
  cards: Card;
  checklists: Checklist;
  checklist_items: ChecklistItem;
  comments: Comment;
  attachments: Attachment;
};

/** The tables that only join two of them. */
type Joins = {
  board_members: { boardId: bigint; memberId: bigint };
  card_labels: { cardId: bigint; labelId: bigint };
  card_members: { cardId: bigint; memberId: bigint };
};

/** A row as it is written: its id is the database's. */
export type NewRow<Table extends keyof Rows> = Omit<Rows[Table], "id">;

const types: Record<string, string> = {
  number: "int",
  version: "int",
  wipLimit: "int",
  size: "bigint",
  type: '"BoardType"',
  visibility: '"BoardVisibility"',
  kind: '"AttachmentKind"',
  status: '"AttachmentStatus"',
};
const typeOf = (column: string) =>
  types[column] ??
  (/(?:At|Date)$/.test(column)
    ? "timestamptz"
    : column.endsWith("Id") && column !== "publicId"
      ? "bigint"
      : "text");

/** What is more goes in several statements, each well within its time. */
const mostRows = 2_000;
const mostText = 4_000_000;

// A row's numbers that JSON cannot hold are read back from text by their column's type.
const json = (row: object) =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));

/** Rows as JSON, in as many arrays as they need. */
function* batches(rows: object[]) {
  let [some, size]: [string[], number] = [[], 0];
  for (const row of rows) {
    const text = json(row);
    if (some.length >= mostRows || (some.length > 0 && size + text.length > mostText)) {
      yield `[${some.join()}]`;
      [some, size] = [[], 0];
    }
    some.push(text);
    size += text.length;
  }
  if (some.length > 0) yield `[${some.join()}]`;
}

const selected = (rows: object[]) => {
  const columns = Object.keys(rows[0] ?? {});
  const list = columns.map((column) => `"${column}"`).join(", ");
  const typed = columns.map((column) => `"${column}" ${typeOf(column)}`).join(", ");
  return `(${list}) SELECT ${list} FROM json_to_recordset($1::json) AS row(${typed})`;
};

/** Writes rows of one table, all with the same columns, many in a statement; answers them with their ids, in the same order. */
export async function insertRows<Table extends keyof Rows>(
  query: Query,
  table: Table,
  rows: NewRow<Table>[],
): Promise<(NewRow<Table> & { id: bigint })[]> {
  const ids = new Map<string, bigint>();
  for (const batch of batches(rows)) {
    const made = await query<{ id: bigint; publicId: string }>(
      `INSERT INTO ${table} ${selected(rows)} RETURNING id, "publicId"`,
      [batch],
    );
    for (const { id, publicId } of made) ids.set(publicId, id);
  }
  return rows.map((row) => ({ ...row, id: ids.get(row.publicId) ?? 0n }));
}

/** Writes rows that join two things; those that are there already stay as they are. */
export async function insertJoins<Table extends keyof Joins>(
  query: Query,
  table: Table,
  rows: (Joins[Table] & { workspaceId: bigint; createdAt: Date })[],
): Promise<void> {
  for (const batch of batches(rows)) {
    await query(`INSERT INTO ${table} ${selected(rows)} ON CONFLICT DO NOTHING`, [batch]);
  }
}
