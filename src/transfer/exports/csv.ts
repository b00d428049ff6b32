import { cardFields } from "../../contract/fields/card.ts";
import { fieldsIn } from "../../contract/fields/field.ts";
import { columnsOf, writtenIn } from "../../domain/fields.ts";
import type { Card as CardRow } from "../../platform/db/rows.ts";
import type { Permission } from "../../contract/vocabulary/permissions.ts";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { stringify } from "csv-stringify";
import { selectPage } from "../../domain/boards/cards-page.ts";
import type { CardSelection } from "../../domain/cards/filters.ts";
import { memberName } from "../../kernel/access/member-name.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { iso, isoOrNull } from "../../contract/vocabulary/fields.ts";
import { escapeFormula, quotedNames } from "../format/csv-cells.ts";
import { encodeTexts } from "../format/bytes.ts";
import { paged } from "./pages.ts";

const fields = fieldsIn(cardFields, "csv");
const columnsWith = (isText: boolean) =>
  fields.flatMap(([, { column, kind }]) => ((kind === "text") === isText ? column : []));

/** The columns of the file, in their order. */
export const columns = [
  "cardNumber",
  ...columnsWith(true),
  "list",
  "labels",
  "members",
  ...columnsWith(false),
  "archivedAt",
  "checklistItems",
  "checklistItemsCompleted",
  "comments",
  "attachments",
  "createdAt",
  "updatedAt",
  "publicId",
];

type Line = Record<string, string | number | null>;
type Row = Pick<CardRow, "id" | "publicId" | "createdAt" | "updatedAt" | "archivedAt"> &
  Record<"cardNumber" | "list", string> &
  Record<"labels" | "members", string | null> &
  Record<"checklistItems" | "checklistItemsCompleted" | "comments" | "attachments", number>;

const size = 200;
const live = (alias: string) => sql`${sql.identifier(alias)}."deletedAt" IS NULL`;

const countItems = (counted: Sql) => sql`(
  SELECT count(${counted})::int FROM checklists ch
  JOIN checklist_items i ON i."checklistId" = ch.id AND ${live("i")}
  WHERE ch."cardId" = c.id AND ${live("ch")})`;

/** A name in a list of names: in quotes when it could be taken for several. */
const listed = (name: Sql) => sql`CASE WHEN ${name} ~ ${quotedNames}
  THEN '"' || replace(${name}, '"', '""') || '"' ELSE ${name} END`;

const labelNames = sql`(
  SELECT string_agg(${listed(sql`la.name`)}, ', ' ORDER BY la.name, la.id) FROM card_labels cl
  JOIN labels la ON la.id = cl."labelId" AND ${live("la")} WHERE cl."cardId" = c.id)`;

const memberNames = sql`(
  SELECT string_agg(${listed(memberName)}, ', ' ORDER BY ${memberName}, m.id) FROM card_members cm
  JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed'
  LEFT JOIN users u ON u.id = m."userId" WHERE cm."cardId" = c.id)`;

const linesOf = (cardIds: bigint[]) => sql`
  SELECT c.id, w."cardPrefix" || '-' || c.number AS "cardNumber", ${columnsOf(fields, "c")},
    l.name AS list, ${labelNames} AS labels, ${memberNames} AS members,
    coalesce(c."archivedAt", l."archivedAt") AS "archivedAt",
    ${countItems(sql`*`)} AS "checklistItems",
    ${countItems(sql`i."completedAt"`)} AS "checklistItemsCompleted",
    (SELECT count(*)::int FROM comments co
      WHERE co."cardId" = c.id AND ${live("co")}) AS comments,
    (SELECT count(*)::int FROM attachments a
      WHERE a."cardId" = c.id AND ${live("a")} AND a.status = 'stored') AS attachments,
    c."createdAt", c."updatedAt", c."publicId"
  FROM unnest(${cardIds}::bigint[]) WITH ORDINALITY AS card_ref(id, nth)
  JOIN cards c ON c.id = card_ref.id JOIN lists l ON l.id = c."listId"
  JOIN workspaces w ON w.id = c."workspaceId" ORDER BY card_ref.nth`;

/**
 * Writes the cards of a board as CSV (RFC 4180, UTF-8 with a byte order mark), page by page.
 *
 * An apostrophe before a cell that looks like a formula stops spreadsheets from running it.
 */
export async function* csvOf(
  query: Query,
  boardId: bigint,
  selection: CardSelection,
  may: ReadonlySet<Permission>,
): AsyncGenerator<Uint8Array> {
  const lines = stringify({
    header: true,
    columns: [...columns],
    bom: true,
    record_delimiter: "windows",
    quoted_string: true,
    cast: { string: escapeFormula },
  });
  // An error here ends the stream that is read below.
  const filling = pipeline(Readable.from(rows(query, boardId, selection, may)), lines).catch(
    () => undefined,
  );
  lines.setEncoding("utf8");
  try {
    yield* encodeTexts(lines);
  } finally {
    lines.destroy();
    await filling;
  }
}

async function* rows(
  query: Query,
  boardId: bigint,
  selection: CardSelection,
  may: ReadonlySet<Permission>,
): AsyncGenerator<Line> {
  type Found = { id: bigint; keys: string[] };
  const pages = paged<Found, string[] | null>(
    (after, limit) => query<Found>(selectPage("position", boardId, selection, { limit, after })),
    null,
    ({ keys }) => keys,
    size,
  );
  for await (const page of pages) {
    const found = await query<Row>(linesOf(page.map(({ id }) => id)));
    yield* found.map((row) => show(row, may));
  }
}

const written = writtenIn(cardFields, "csv");

function show(row: Row, may: ReadonlySet<Permission>): Line {
  const { id: _, ...cells } = row;
  return {
    ...cells,
    ...written(row),
    archivedAt: isoOrNull(row.archivedAt),
    list: may.has("list:view") ? row.list : null,
    labels: may.has("board:view") ? row.labels : null,
    comments: may.has("comment:view") ? row.comments : null,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  };
}
