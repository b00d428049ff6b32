import type { Query } from "../../../platform/db/query.ts";
import type * as rows from "../../../platform/db/rows.ts";
import { sql, type Sql } from "../../../platform/db/sql.ts";

/** The tables of the parts of boards and cards, with their rows. */
export type Rows = {
  lists: rows.List;
  labels: rows.Label;
  checklists: rows.Checklist;
  checklist_items: rows.ChecklistItem;
  comments: rows.Comment;
  attachments: rows.Attachment;
};

/** The tables that join two resources. */
type Joins = {
  board_members: { boardId: bigint; memberId: bigint };
  card_labels: { cardId: bigint; labelId: bigint };
};

/** A row without the id that the database gives it. */
export type NewRow<Table extends keyof Rows> = Omit<Rows[Table], "id">;

const [int, bigint, text, timestamp] = [sql`int`, sql`bigint`, sql`text`, sql`timestamptz`];
const types: Record<string, Sql> = {
  version: int,
  wipLimit: int,
  size: bigint,
  importAuthorId: text,
  kind: sql.identifier("AttachmentKind"),
  status: sql.identifier("AttachmentStatus"),
};

/** The type of a column, by its name. */
function typeOf(column: string): Sql {
  if (types[column] !== undefined) return types[column];
  if (/(?:At|Date)$/.test(column)) return timestamp;
  return column.endsWith("Id") && column !== "publicId" ? bigint : text;
}

// One statement stays within its time limit.
const maxRows = 2_000;
const maxText = 4_000_000;

/** A row as JSON. PostgreSQL reads a bigint from a string. */
const jsonOf = (row: object) =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));

/** Rows as JSON arrays of limited size. */
function* batches(all: object[]): Generator<string> {
  let [batch, size]: [string[], number] = [[], 0];
  for (const row of all) {
    const json = jsonOf(row);
    if (batch.length >= maxRows || (batch.length > 0 && size + json.length > maxText)) {
      yield `[${batch.join()}]`;
      [batch, size] = [[], 0];
    }
    batch.push(json);
    size += json.length;
  }
  if (batch.length > 0) yield `[${batch.join()}]`;
}

/** `INSERT INTO table (…) SELECT …` of a JSON array. */
function insertInto(table: string, [row = {}]: object[], json: string) {
  const columns = Object.keys(row).map((name) => ({ name, column: sql.identifier(name) }));
  const list = sql.join(
    columns.map(({ column }) => column),
    sql`, `,
  );
  const typed = sql.join(
    columns.map(({ name, column }) => sql`${column} ${typeOf(name)}`),
    sql`, `,
  );
  return sql`INSERT INTO ${sql.identifier(table)} (${list})
    SELECT ${list} FROM json_to_recordset(${json}::json) AS new(${typed})`;
}

/** Inserts rows with the same columns, many in a statement. Returns their ids by public id. */
export async function insertRows<Table extends keyof Rows>(
  query: Query,
  table: Table,
  all: NewRow<Table>[],
): Promise<Map<string, bigint>> {
  const ids = new Map<string, bigint>();
  for (const json of batches(all)) {
    const inserted = await query<{ id: bigint; publicId: string }>(
      sql`${insertInto(table, all, json)} RETURNING id, "publicId"`,
    );
    for (const { id, publicId } of inserted) ids.set(publicId, id);
  }
  return ids;
}

/** Inserts rows that join two resources; existing ones stay. */
export async function insertJoins<Table extends keyof Joins>(
  query: Query,
  table: Table,
  all: (Joins[Table] & { workspaceId: bigint; createdAt: Date })[],
): Promise<void> {
  for (const json of batches(all))
    await query(sql`${insertInto(table, all, json)} ON CONFLICT DO NOTHING`);
}
