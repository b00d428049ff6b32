import { cardFields } from "../../contract/fields/card.ts";
import { fieldsIn, fieldsSetIn } from "../../contract/fields/field.ts";
import { columnsOf, writtenIn } from "../../domain/declared-fields.ts";
import { summaries } from "../../domain/cards/parts-sql.ts";
import { groupBy } from "../../platform/maps.ts";
import { cardParts } from "../../domain/parts/card.ts";
import { countColumns } from "../../domain/parts/counts.ts";
import type {
  BoardColumns,
  CardCounts,
  Cell,
  RowsPart,
  SummaryRow,
} from "../../domain/parts/part.ts";
import type { Card as CardRow } from "../../platform/db/rows.ts";
import type { Permission } from "../../contract/vocabulary/permissions.ts";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { stringify } from "csv-stringify";
import { selectPage, type Keys } from "../../domain/boards/cards-page.ts";
import { usualSort } from "../../contract/filter/sort.ts";
import type { CardSelection } from "../../domain/cards/filters.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { iso, isoOrNull } from "../../contract/vocabulary/texts.ts";
import { escapeFormula } from "../format/csv-cells.ts";
import { encodeTexts } from "../format/bytes.ts";
import { paged, partPages } from "./pages.ts";

const fields = fieldsIn(cardFields, "csv");
const parts = Object.entries(cardParts).map(([part, { csv, summary, kept, rows }]) => ({
  part,
  ...csv,
  counts: "count" in summary ? Object.keys(kept.columns) : null,
  rows,
}));
type CsvPart = (typeof parts)[number];
const fieldsWith = (isText: boolean) =>
  fields.flatMap(([, { column, kind }]) => ((kind === "text") === isText ? column : []));
const partsWith = (isText: boolean) =>
  parts.flatMap(({ columns: own, counts }) => (isText === (counts !== null) ? [] : own));

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
  Record<"cardNumber" | "list", string> &
  CardCounts;

const size = 200;
const quoted = /[,;"\n]/;
/** Names in a cell: in quotes when one could be taken for several. */
const listed = (names: readonly string[]) =>
  names.map((name) => (quoted.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(", ");

const linesOf = (cardIds: bigint[]) => sql`
  SELECT c.id, w."cardPrefix" || '-' || c.number AS "cardNumber", ${columnsOf(fieldsSetIn(cardFields, "csv"), "c")},
    ${countColumns(sql`c`)}, l.name AS list, coalesce(c."archivedAt", l."archivedAt") AS "archivedAt",
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
    parts.flatMap(({ more, rows: part, ...csv }) =>
      more && part && sees(csv, may) ? [columnsOn(part, more(query, boardId))] : [],
    ),
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
    Readable.from(cardLines(query, boardId, selection, may, boardColumns)),
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

async function* cardLines(
  query: Query,
  boardId: bigint,
  selection: CardSelection,
  may: ReadonlySet<Permission>,
  boardColumns: ColumnsOnBoard[],
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
    const [lines, related] = await Promise.all([
      query<Row>(linesOf(ids)),
      query<SummaryRow>(summaries(sql`c.id = ANY(${ids}::bigint[])`, sql`ALL`)),
    ]);
    const cells = await Promise.all(
      boardColumns.map((columnsOfPart) => cellsOf(query, columnsOfPart, ids)),
    );
    const relatedTo = groupBy(related, ({ cardId }) => cardId);
    yield* lines.map((row) => ({
      ...show(row, may),
      ...partCells(row, relatedTo.get(row.id) ?? [], may),
      ...cellsIn(cells, row.id),
    }));
  }
}

/** The cells of parts that a reader may see: names, a total, or what of it is done. */
function partCells(row: Row, related: SummaryRow[], may: ReadonlySet<Permission>): Line {
  const rowsOf = groupBy(related, ({ kind }) => kind);
  const rowCounts: Readonly<Record<string, unknown>> = row;
  const cellOf = ({ part, counts }: CsvPart, nth: number) => {
    const partRows = rowsOf.get(part) ?? [];
    if (counts !== null) return Number(rowCounts[counts[nth] ?? ""]);
    return partRows.length === 0 ? null : listed(partRows.map(({ name }) => name ?? ""));
  };
  return Object.fromEntries(
    parts.flatMap((part) =>
      part.columns.map((name, nth) => [name, sees(part, may) ? cellOf(part, nth) : null]),
    ),
  );
}

/** The columns that a part has on a board, and how its rows are read. */
type ColumnsOnBoard = BoardColumns & { part: RowsPart };

const columnsOn = async (part: RowsPart, reading: Promise<BoardColumns>) => ({
  part,
  ...(await reading),
});

/** The cells of cards in the columns that a part has on their board. */
async function cellsOf(query: Query, { names, cells, part }: ColumnsOnBoard, cardIds: bigint[]) {
  const cellsByCard = new Map<bigint, Cell[]>();
  if (names.length === 0) return cellsByCard;
  for await (const page of partPages(query, part, cardIds)) {
    for (const [nth, rowsOfCard] of groupBy(page, (row) => row.nth)) {
      const cardId = cardIds[Number(nth) - 1];
      if (cardId !== undefined) cellsByCard.set(cardId, cells(part.things(rowsOfCard), listed));
    }
  }
  return cellsByCard;
}

/** The key of a column that only this board has. */
const keyOf = (part: number, nth: number) => `more ${part} ${nth}`;
const headersOf = (boardColumns: ColumnsOnBoard[]) =>
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

function show(row: Row, may: ReadonlySet<Permission>): Line {
  return {
    cardNumber: row.cardNumber,
    publicId: row.publicId,
    ...writtenFields(row),
    archivedAt: isoOrNull(row.archivedAt),
    list: may.has("list:view") ? row.list : null,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  };
}
