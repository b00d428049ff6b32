import { z } from "zod";
import { cardFields } from "../../contract/fields/card.ts";
import { writtenIn } from "../../domain/declared-fields.ts";
import type { RowsPart } from "../../domain/parts/part.ts";
import { type HistoryReader, visiblePart } from "../../kernel/events/activity.ts";
import type { Query } from "../../platform/db/query.ts";
import { iso } from "../../contract/vocabulary/texts.ts";
import type { DocumentCounts } from "../format/counts.ts";
import type { Items } from "../format/workspace.ts";
import { byCard, paged, pagesOn, partPages } from "./pages.ts";
import * as statements from "./statements.ts";
import { activity, partsAsIds } from "./statements.ts";
import type { EventType } from "../../contract/events.ts";
import type { OnCard } from "../../domain/parts/rows-sql.ts";
import { only, partsOfCards, type NamedPart } from "../../domain/parts/things.ts";

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
    const events = pagesOn<EventRow>(query, activity(reader), ids);
    const kinds = [
      ...parts.map(({ name, rows: part, show }) =>
        kind(name, partPages(query, part, ids), show, part.within),
      ),
      kind("activity", events, (eventRows) => eventRows.map(eventFor(reader))),
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

/** The schema of a thing of a part in exports. */
function storedIn({ name, places }: NamedPart): z.ZodObject {
  const schema = places.stored?.[name];
  const list = schema instanceof z.ZodDefault ? schema.unwrap() : schema;
  if (list instanceof z.ZodArray && list.element instanceof z.ZodObject) return list.element;
  throw new Error(`Exports have no list of ${name}.`);
}

/** The parts of cards that are read in rows. */
const parts = partsOfCards.flatMap((one) => {
  const { rows } = one.part;
  if (rows === undefined) return [];
  const shown = only(storedIn(one));
  const { things, stored = (thing: object) => thing } = rows;
  const show = (read: OnCard[]) => things(read).map((thing) => shown(stored(thing)));
  return [{ name: one.name, rows, show }];
});

/** A kind of thing on cards; `next` returns more of those of a card. */
function kind<Row extends OnCard>(
  name: string,
  pages: AsyncGenerator<Row[]>,
  show: (rows: Row[]) => object[],
  within?: RowsPart["within"],
) {
  const rows = byCard(pages);
  return { name, next: async (nth: bigint) => show(await rows.take(nth)), within };
}

function count(counts: Record<string, number>, added: Readonly<Record<string, number>>) {
  for (const [name, value] of Object.entries(added)) counts[name] = (counts[name] ?? 0) + value;
}

const writtenFields = writtenIn(cardFields, "export");

/** What an export has of parts that are columns. */
const columnsIn = (row: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(partsAsIds.map(({ name }) => [name, row[name]]));

const plain = (row: CardRow, listPublicId: string) => ({
  publicId: row.publicId,
  listPublicId,
  number: row.number,
  aliases: row.aliases,
  ...writtenFields(row),
  ...dated(row),
  ...columnsIn(row),
});
