import { cardFields } from "../../contract/fields/card.ts";
import { fieldsIn } from "../../contract/fields/field.ts";
import { columnsOf, writtenIn } from "../../domain/declared-fields.ts";
import { cardParts } from "../../domain/parts/card.ts";
import type { BoardColumns, Cell, Part } from "../../domain/parts/part.ts";
import type { Card as CardRow } from "../../platform/db/rows.ts";
import type { Permission } from "../../contract/vocabulary/permissions.ts";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { stringify } from "csv-stringify";
import { selectPage, type Keys } from "../../domain/boards/cards-page.ts";
import { usualSort } from "../../contract/filter/sort.ts";
import type { CardSelection } from "../../domain/cards/filters.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { iso, isoOrNull } from "../../contract/vocabulary/fields.ts";
import { escapeFormula, quotedNames } from "../format/csv-cells.ts";
import { encodeTexts } from "../format/bytes.ts";
import { paged } from "./pages.ts";

const fields = fieldsIn(cardFields, "csv");
const parts = Object.values(cardParts).map((part) => ({ ...part.csv, ...part }));
const fieldsWith = (isText: boolean) =>
  fields.flatMap(([, { column, kind }]) => ((kind === "text") === isText ? column : []));
const partsWith = (isText: boolean) =>
  parts.flatMap(({ columns: own, summary }) => (isText === "count" in summary ? [] : own));

/** The columns of the file, in their order. */
export const columns: readonly string[] = [
  "cardNumber",
  ...fieldsWith(true),
  "list",
  ...partsWith(true),
  ...fieldsWith(false),
  "archivedAt",
  ...partsWith(false),
  "createdAt",
  "updatedAt",
  "publicId",
];

type Line = Record<string, string | number | null>;
type Row = Pick<CardRow, "id" | "publicId" | "createdAt" | "updatedAt" | "archivedAt"> &
  Record<"cardNumber" | "list", string>;

const size = 200;
/** A name in a list of names: in quotes when it could be taken for several. */
const listed = (name: Sql) => sql`CASE WHEN ${name} ~ ${quotedNames}
  THEN '"' || replace(${name}, '"', '""') || '"' ELSE ${name} END`;

/** SQL: what a column has of a part of the card `c`: names, a total, or what of it is done. */
function cellOf({ summary, from, isOn }: Part, nth: number): Sql {
  const of = sql`FROM ${from} WHERE ${isOn(sql`c.id`)}`;
  if ("map" in summary) return sql`NULL`;
  if ("count" in summary) {
    return sql`(SELECT (${(nth === 0 ? summary.total : summary.done) ?? sql`0`})::int ${of})`;
  }
  const { name, id } = summary.columns;
  return sql`(SELECT string_agg(${listed(name)}, ', ' ORDER BY ${name}, ${id}) ${of})`;
}

const partColumns = sql.join(
  parts.flatMap(({ columns: own, ...part }) =>
    own.map((name, nth) => sql`${cellOf(part, nth)} AS ${sql.identifier(name)}`),
  ),
  sql`, `,
);

const linesOf = (cardIds: bigint[]) => sql`
  SELECT c.id, w."cardPrefix" || '-' || c.number AS "cardNumber", ${columnsOf(fields, "c")},
    l.name AS list, coalesce(c."archivedAt", l."archivedAt") AS "archivedAt", ${partColumns},
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
  const boardColumns = await Promise.all(
    parts.flatMap((part) => (part.more && sees(part, may) ? [part.more(query, boardId)] : [])),
  );
  const lines = stringify({
    header: true,
    columns: [...columns.map((name) => ({ key: name, header: name })), ...headersOf(boardColumns)],
    bom: true,
    record_delimiter: "windows",
    quoted_string: true,
    cast: { string: escapeFormula },
  });
  // An error here ends the stream that is read below.
  const filling = pipeline(
    Readable.from(rows(query, boardId, selection, may, boardColumns)),
    lines,
  ).catch(() => undefined);
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
  boardColumns: BoardColumns[],
): AsyncGenerator<Line> {
  type CardKeys = { id: bigint; keys: Keys };
  const pages = paged<CardKeys, Keys | null>(
    (after, limit) =>
      query<CardKeys>(selectPage(usualSort("position"), boardId, selection, { limit, after })),
    null,
    ({ keys }) => keys,
    size,
  );
  for await (const page of pages) {
    const ids = page.map(({ id }) => id);
    const lines = await query<Row>(linesOf(ids));
    const cells = await Promise.all(boardColumns.map((part) => part.cells(ids, listed)));
    yield* lines.map((row) => ({ ...show(row, may), ...cellsIn(cells, row.id) }));
  }
}

/** The key of a column that only this board has. */
const keyOf = (part: number, nth: number) => `more ${part} ${nth}`;
const headersOf = (boardColumns: BoardColumns[]) =>
  boardColumns.flatMap(({ names }, part) =>
    names.map((header, nth) => ({ key: keyOf(part, nth), header })),
  );
const cellsIn = (cellsByCard: Map<bigint, Cell[]>[], cardId: bigint): Line =>
  Object.fromEntries(
    cellsByCard.flatMap((cells, part) =>
      (cells.get(cardId) ?? []).map((cell, nth) => [keyOf(part, nth), cell]),
    ),
  );

const writtenFields = writtenIn(cardFields, "csv");

const sees = ({ needs }: { needs?: Permission }, may: ReadonlySet<Permission>) =>
  needs === undefined || may.has(needs);

/** The columns of parts that a reader may not see. */
const hiddenFrom = (may: ReadonlySet<Permission>) =>
  Object.fromEntries(
    parts.flatMap((part) => (sees(part, may) ? [] : part.columns.map((name) => [name, null]))),
  );

function show(row: Row, may: ReadonlySet<Permission>): Line {
  const { id: _, ...cells } = row;
  return {
    ...cells,
    ...writtenFields(row),
    archivedAt: isoOrNull(row.archivedAt),
    list: may.has("list:view") ? row.list : null,
    ...hiddenFrom(may),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  };
}
