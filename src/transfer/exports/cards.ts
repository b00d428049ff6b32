import { cardFields } from "../../contract/fields/card.ts";
import { writtenIn } from "../../domain/fields.ts";
import type { HistoryReader } from "../../kernel/events/activity.ts";
import type { Query } from "../../platform/db/query.ts";
import { iso, isoOrNull } from "../../contract/vocabulary/fields.ts";
import type { DocumentCounts } from "../format/counts.ts";
import type { Items } from "../format/workspace.ts";
import { eventFor, historyOf } from "./history.ts";
import { rowsOn, paged, type OnCard, type CardRows } from "./pages.ts";
import * as statements from "./statements.ts";

type Card = Items["cards"];
type Checklist = Card["checklists"][number];
type Dated = { createdAt: Date; updatedAt: Date };
type CardRow = Dated &
  Pick<Card, "publicId" | "number"> &
  Pick<Card, "aliases" | "labelPublicIds" | "memberPublicIds"> & { id: bigint; position: string };
type ItemRow = OnCard &
  Dated &
  Record<"completedAt" | "dueDate", Date | null> & {
    list: string;
    name: string;
    listCreatedAt: Date;
    listUpdatedAt: Date;
    item: string | null;
    title: string;
    memberPublicId: string | null;
  };
type AttachmentRow = OnCard &
  Dated &
  Omit<Card["attachments"][number], "size" | keyof Dated> & { size: bigint | null };
type CommentRow = OnCard &
  Dated & { publicId: string; comment: string; isEdited: boolean } & Record<
    "memberPublicId" | "authorName",
    string | null
  >;

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
      kind(
        "checklists",
        whole(rowsOn<ItemRow>(query, statements.checklists, ids, ["-infinity", "-infinity"])),
        (items) => grouped(items, counts),
      ),
      kind(
        "attachments",
        rowsOn<AttachmentRow>(query, statements.attachments, ids, ["-infinity", 0n]),
        (found) => found.map(attachment),
      ),
      kind(
        "comments",
        rowsOn<CommentRow>(query, statements.comments, ids, ["-infinity", 0n]),
        (found) => found.map(comment),
      ),
      kind("activity", historyOf(query, ids, reader), (found) => found.map(eventFor(reader))),
    ];
    let text = "";
    let nth = 0n;
    for (const row of rows) {
      nth++;
      counts.cards++;
      text += before() + JSON.stringify(plain(row, list.publicId)).slice(0, -1);
      for (const { name, next } of kinds) {
        text += `,"${name}":[`;
        let isFirst = true;
        for (let items = await next(nth); items.length > 0; items = await next(nth)) {
          counts[name] += items.length;
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

type Kind = "checklists" | "attachments" | "comments" | "activity";

/** A kind of resource on cards; `next` returns more of those of a card. */
const kind = <Row>(name: Kind, { take }: CardRows<Row>, show: (rows: Row[]) => object[]) => ({
  name,
  next: async (nth: bigint) => show(await take(nth)),
});

const written = writtenIn(cardFields, "export");

const plain = (row: CardRow, listPublicId: string) => ({
  publicId: row.publicId,
  listPublicId,
  number: row.number,
  aliases: row.aliases,
  ...written(row),
  ...dated(row),
  labelPublicIds: row.labelPublicIds,
  memberPublicIds: row.memberPublicIds,
});

/** All rows of a card at once: a checklist is written with all its items. */
const whole = <Row>({ take }: CardRows<Row>): CardRows<Row> => ({
  async take(nth) {
    const rows = await take(nth);
    for (let more = rows; more.length > 0;) {
      more = await take(nth);
      rows.push(...more);
    }
    return rows;
  },
});

function grouped(rows: ItemRow[], counts: DocumentCounts): Checklist[] {
  const lists: Checklist[] = [];
  for (const row of rows) {
    let list = lists.at(-1);
    if (list?.publicId !== row.list) {
      const times = { createdAt: row.listCreatedAt, updatedAt: row.listUpdatedAt };
      list = { publicId: row.list, name: row.name, ...dated(times), items: [] };
      lists.push(list);
    }
    if (row.item === null) continue;
    counts.checklistItems++;
    list.items.push({
      publicId: row.item,
      title: row.title,
      completedAt: isoOrNull(row.completedAt),
      dueDate: isoOrNull(row.dueDate),
      memberPublicId: row.memberPublicId,
      ...dated(row),
    });
  }
  return lists;
}

const attachment = (row: AttachmentRow): Card["attachments"][number] => ({
  publicId: row.publicId,
  kind: row.kind,
  filename: row.filename,
  contentType: row.contentType,
  size: row.size === null ? null : Number(row.size),
  sha256: row.sha256,
  file: row.file,
  url: row.url,
  ...dated(row),
});

const comment = (row: CommentRow): Card["comments"][number] => ({
  publicId: row.publicId,
  comment: row.comment,
  author: { name: row.authorName, memberPublicId: row.memberPublicId },
  isEdited: row.isEdited,
  ...dated(row),
});
