import { stringify } from "csv-stringify";
import { cardsInOrder } from "../boards/cards.ts";
import { wantedValues, type Wanted } from "../boards/filters.ts";
import { summariesOf } from "../cards/summaries.ts";
import type { Query } from "../db/database.ts";
import { isoOrNull } from "../fields.ts";
import { paged } from "./pages.ts";

/** The columns of the file, in their order. */
export const columns = [
  "cardNumber",
  "title",
  "description",
  "list",
  "labels",
  "members",
  "startDate",
  "dueDate",
  "completedAt",
  "archivedAt",
  "checklistItems",
  "checklistItemsCompleted",
  "comments",
  "attachments",
  "createdAt",
  "updatedAt",
  "publicId",
] as const;

type Line = Record<(typeof columns)[number], string | number | null>;
type Rest = { publicId: string; description: string | null; list: string } & Record<
  "completedAt" | "archivedAt",
  Date | null
>;

const size = 200;
const rest = `SELECT c."publicId", c.description, l.name AS list, c."completedAt",
    coalesce(c."archivedAt", l."archivedAt") AS "archivedAt"
  FROM cards c JOIN lists l ON l.id = c."listId" WHERE c.id = ANY($1::bigint[])`;

/** The cards of a board as CSV (RFC 4180, UTF-8 with a byte order mark), list by list, page by page. No cell can be taken for a formula: what looks like one has an apostrophe before it. */
export async function* csvOf(
  query: Query,
  boardId: bigint,
  wanted: Wanted,
): AsyncGenerator<Uint8Array> {
  const lines = stringify({
    header: true,
    columns: [...columns],
    bom: true,
    record_delimiter: "windows",
    quoted_string: true,
    escape_formulas: true,
  });
  const filling = fill(lines, query, boardId, wanted).catch(
    (error: unknown) => void lines.destroy(error instanceof Error ? error : undefined),
  );
  try {
    yield* lines;
  } finally {
    lines.destroy();
    await filling;
  }
}

async function fill(
  lines: ReturnType<typeof stringify>,
  query: Query,
  boardId: bigint,
  wanted: Wanted,
) {
  type Found = { id: bigint; keys: string[] };
  const values = wantedValues(boardId, wanted);
  const pages = paged<Found, string[] | null>(
    (after, limit) => query<Found>(cardsInOrder("position"), [...values, limit, after]),
    null,
    ({ keys }) => keys,
    size,
  );
  for await (const page of pages) {
    for (const line of await linesOf(
      query,
      page.map(({ id }) => id),
    )) {
      if (lines.destroyed) return;
      if (!lines.write(line)) await drained(lines);
    }
  }
  lines.end();
}

const drained = (lines: ReturnType<typeof stringify>) =>
  new Promise<void>((resolve) => {
    lines.once("drain", resolve);
    lines.once("close", resolve);
  });

async function linesOf(query: Query, ids: bigint[]): Promise<Line[]> {
  const summaries = await summariesOf(query, ids);
  const more = new Map((await query<Rest>(rest, [ids])).map((row) => [row.publicId, row]));
  return summaries.flatMap((card) => {
    const own = more.get(card.publicId);
    if (own === undefined) return [];
    return {
      cardNumber: card.cardNumber,
      title: card.title,
      description: own.description,
      list: own.list,
      labels: card.labels.map(({ name }) => name).join(", "),
      members: card.members.map(({ name }) => name).join(", "),
      startDate: card.startDate,
      dueDate: card.dueDate,
      completedAt: isoOrNull(own.completedAt),
      archivedAt: isoOrNull(own.archivedAt),
      checklistItems: card.checklistItems.total,
      checklistItemsCompleted: card.checklistItems.completed,
      comments: card.commentCount,
      attachments: card.attachmentCount,
      createdAt: card.createdAt,
      updatedAt: card.updatedAt,
      publicId: card.publicId,
    };
  });
}
