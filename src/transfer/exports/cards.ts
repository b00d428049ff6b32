import { cardFields } from "../../contract/fields/card.ts";
import { writtenIn } from "../../domain/declared-fields.ts";
import { cardParts } from "../../domain/parts/card.ts";
import type { RowsPart } from "../../domain/parts/part.ts";
import { type HistoryReader, visiblePart } from "../../kernel/events/activity.ts";
import type { Query } from "../../platform/db/query.ts";
import { iso } from "../../contract/vocabulary/fields.ts";
import type { DocumentCounts } from "../format/counts.ts";
import type { Items } from "../format/workspace.ts";
import { byCard, paged, pagesOn, wholePages, type CardRows } from "./pages.ts";
import * as statements from "./statements.ts";
import { activity } from "./statements.ts";
import type { EventType } from "../../contract/events.ts";
import type { OnCard } from "../../domain/parts/rows-sql.ts";

type Event = Items["cards"]["activity"][number];
type EventRow = OnCard & {
  type: EventType;
  seesBefore: boolean;
  seesAfter: boolean;
  actorType: Event["actor"]["type"];
  actorPublicId: string | null;
  actorName: string;
  data: Event["data"];
  changes: Event["changes"];
  createdAt: Date;
};

/** The events of cards that the reader sees. */
const historyOf = (query: Query, cards: bigint[], reader: HistoryReader): CardRows<EventRow> =>
  byCard(pagesOn<EventRow>(query, activity(reader), cards, [0n, 0n]));

/** Shows events with what the reader may see of them. */
const eventFor =
  (reader: HistoryReader) =>
  (row: EventRow): Event => ({
    type: row.type,
    actor: { type: row.actorType, publicId: row.actorPublicId, name: row.actorName },
    data: visiblePart(row, reader).data,
    changes: row.changes,
    createdAt: iso(row.createdAt),
  });

type Card = Items["cards"];
type Dated = { createdAt: Date; updatedAt: Date };
type CardRow = Dated &
  Pick<Card, "publicId" | "number"> &
  Pick<Card, "aliases"> & { id: bigint; position: string };

const size = 200;
const enough = 64 * 1024;
const dated = ({ createdAt, updatedAt }: Dated) => ({
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
});

/** Writes the cards of a list as JSON, with `before` in front of each, in texts of limited size. */
export async function* cardsOf(
  { query, reader }: { query: Query; reader: HistoryReader },
  list: { id: bigint; publicId: string },
  before: () => string,
  counts: DocumentCounts,
): AsyncGenerator<string> {
  const pages = paged<CardRow, string>(
    (after, limit) => query<CardRow>(statements.cards(list.id, after, limit)),
    "-infinity",
    ({ position }) => position,
    size,
  );
  for await (const rows of pages) {
    const ids = rows.map(({ id }) => id);
    const kinds = [
      ...parts.map(([name, part]) =>
        kind(name, pagesOf(query, part, ids), part.stored, part.within),
      ),
      kind("activity", historyOf(query, ids, reader), (events) => events.map(eventFor(reader))),
    ];
    let text = "";
    let nth = 0n;
    for (const row of rows) {
      nth++;
      counts.cards++;
      text += before() + JSON.stringify(plain(row, list.publicId)).slice(0, -1);
      for (const { name, next, within } of kinds) {
        text += `,"${name}":[`;
        let isFirst = true;
        for (let items = await next(nth); items.length > 0; items = await next(nth)) {
          count(counts, { [name]: items.length, ...within?.(items) });
          text += (isFirst ? "" : ",") + items.map((item) => JSON.stringify(item)).join(",");
          isFirst = false;
          if (text.length > enough) {
            yield text;
            text = "";
          }
        }
        text += "]";
      }
      text += "}";
    }
    yield text;
  }
}

/** The parts of cards that are read in rows. */
const parts = Object.entries(cardParts).flatMap(([name, { exported }]) =>
  "rows" in exported ? [[name, exported.rows] as const] : [],
);
/** A kind of thing on cards; `next` returns more of those of a card. */
const kind = <Row>(
  name: string,
  { take }: CardRows<Row>,
  show: (rows: Row[]) => object[],
  within?: RowsPart["within"],
) => ({ name, next: async (nth: bigint) => show(await take(nth)), within });

/** The rows of a part on some cards. */
function pagesOf(query: Query, { statement, start, groupOf }: RowsPart, cards: bigint[]) {
  const pages = pagesOn(query, statement, cards, start);
  return byCard(groupOf === undefined ? pages : wholePages(pages, groupOf));
}

function count(counts: Record<string, number>, added: Readonly<Record<string, number>>) {
  for (const [name, value] of Object.entries(added)) counts[name] = (counts[name] ?? 0) + value;
}

const writtenFields = writtenIn(cardFields, "export");

const columns = Object.values(cardParts).flatMap(({ exported }) =>
  "ids" in exported ? exported.ids : [],
);

/** What an export has of parts that are columns. */
const columnsIn = (row: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(columns.map((name) => [name, row[name]]));

const plain = (row: CardRow, listPublicId: string) => ({
  publicId: row.publicId,
  listPublicId,
  number: row.number,
  aliases: row.aliases,
  ...writtenFields(row),
  ...dated(row),
  ...columnsIn(row),
});
