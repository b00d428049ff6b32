import type { Query } from "../db/database.ts";
import { iso, isoOrNull } from "../fields.ts";
import type { Counts, Items } from "./format.ts";
import { hangingOn, paged, type Hanging } from "./pages.ts";
import * as sql from "./statements.ts";

type Card = Items["cards"];
type Checklist = Card["checklists"][number];
type Dated = { createdAt: Date; updatedAt: Date };
type Moments = "startDate" | "dueDate" | "completedAt" | "archivedAt";
type CardRow = Dated &
  Record<Moments, Date | null> &
  Pick<Card, "publicId" | "number" | "title" | "description"> &
  Pick<Card, "aliases" | "labelPublicIds" | "memberPublicIds"> & { id: bigint; position: string };
type ItemRow = Hanging &
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
type AttachmentRow = Hanging &
  Dated &
  Omit<Card["attachments"][number], "size" | keyof Dated> & { size: bigint | null };
type CommentRow = Hanging &
  Dated & { publicId: string; comment: string; isEdited: boolean } & Record<
    "memberPublicId" | "authorName",
    string | null
  >;
type Event = Card["activity"][number];
type EventRow = Hanging & {
  type: string;
  actorType: Event["actor"]["type"];
  actorPublicId: string | null;
  actorName: string;
  data: Event["data"];
  changes: Event["changes"];
  createdAt: Date;
};

const size = 200;
const dated = ({ createdAt, updatedAt }: Dated) => ({
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
});

/** The cards of a list as text, one after the other, each as it is read: neither a long list nor a card with a long history is ever held whole. */
export async function* cardsOf(
  query: Query,
  list: { id: bigint; publicId: string },
  counts: Counts,
): AsyncGenerator<string> {
  const pages = paged<CardRow, string>(
    (after, limit) => query<CardRow>(sql.cards, [list.id, after, limit]),
    "",
    ({ position }) => position,
    size,
  );
  for await (const rows of pages) {
    const ids = rows.map(({ id }) => id);
    const items = hangingOn<ItemRow>(query, sql.checklists, ids, ["", ""]);
    const files = hangingOn<AttachmentRow>(query, sql.attachments, ids, ["-infinity", 0n]);
    const comments = hangingOn<CommentRow>(query, sql.comments, ids, [0n, 0n]);
    const events = hangingOn<EventRow>(query, sql.activity, ids, [0n, 0n]);
    let nth = 0n;
    for (const row of rows) {
      nth++;
      counts.cards++;
      yield JSON.stringify(plain(row, list.publicId)).slice(0, -1);
      yield* array("checklists", grouped(items.of(nth), counts), () => counts.checklists++);
      yield* array("attachments", shown(files.of(nth), attachment), () => counts.attachments++);
      yield* array("comments", shown(comments.of(nth), comment), () => counts.comments++);
      yield* array("activity", shown(events.of(nth), event), () => counts.activity++);
      yield "}";
    }
  }
}

async function* array(name: string, values: AsyncIterable<object>, count: () => void) {
  let before = `,"${name}":[`;
  for await (const value of values) {
    count();
    yield before + JSON.stringify(value);
    before = ",";
  }
  yield before === "," ? "]" : `${before}]`;
}

async function* shown<Row, Item>(rows: AsyncIterable<Row>, show: (row: Row) => Item) {
  for await (const row of rows) yield show(row);
}

const plain = (row: CardRow, listPublicId: string) => ({
  publicId: row.publicId,
  listPublicId,
  number: row.number,
  aliases: row.aliases,
  title: row.title,
  description: row.description,
  startDate: isoOrNull(row.startDate),
  dueDate: isoOrNull(row.dueDate),
  completedAt: isoOrNull(row.completedAt),
  archivedAt: isoOrNull(row.archivedAt),
  ...dated(row),
  labelPublicIds: row.labelPublicIds,
  memberPublicIds: row.memberPublicIds,
});

async function* grouped(rows: AsyncIterable<ItemRow>, counts: Counts): AsyncGenerator<Checklist> {
  let list: Checklist | undefined;
  for await (const row of rows) {
    if (list?.publicId !== row.list) {
      if (list !== undefined) yield list;
      const times = { createdAt: row.listCreatedAt, updatedAt: row.listUpdatedAt };
      list = { publicId: row.list, name: row.name, ...dated(times), items: [] };
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
  if (list !== undefined) yield list;
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

const event = (row: EventRow): Event => ({
  type: row.type,
  actor: { type: row.actorType, publicId: row.actorPublicId, name: row.actorName },
  data: row.data,
  changes: row.changes,
  createdAt: iso(row.createdAt),
});
