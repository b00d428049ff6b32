import type { Query } from "../db/database.ts";
import type { Workspace } from "../db/rows.ts";
import { iso, isoOrNull } from "../fields.ts";
import { cardsOf } from "./cards.ts";
import { formatName, formatVersion, type Counts, type Head, type Items } from "./format.ts";
import { paged } from "./pages.ts";
import * as sql from "./statements.ts";

/** What is to be written: a workspace, at what moment, and whether addresses are shown. */
export type Wanted = { workspace: Workspace; now: Date; showEmails: boolean };

type Stored<Item, Moments extends string, Without extends string = never> = Omit<
  Item,
  Moments | Without
> & { [Name in Moments & keyof Item]: null extends Item[Name] ? Date | null : Date } & {
  id: bigint;
};
type MemberRow = Stored<Items["members"], "createdAt" | "joinedAt">;
type BoardRow = Stored<
  Items["boards"],
  "archivedAt" | "createdAt" | "updatedAt",
  "labels" | "lists"
>;
type Child<Item> = Item & { parent: bigint };
type LabelRow = Child<Items["boards"]["labels"][number]>;
type ListRow = Child<
  Stored<Items["boards"]["lists"][number], "archivedAt" | "createdAt" | "updatedAt">
>;

const size = 200;

const none = (): Counts => ({
  roles: 0,
  members: 0,
  boards: 0,
  labels: 0,
  lists: 0,
  cards: 0,
  checklists: 0,
  checklistItems: 0,
  attachments: 0,
  comments: 0,
  activity: 0,
});

/** A workspace as one document of JSON, in pieces, read page by page: what it needs of memory does not grow with the workspace. It ends with its counts and `complete`, so that a part of it is known as one. */
export async function* documentOf(query: Query, wanted: Wanted): AsyncGenerator<string> {
  const { workspace, now, showEmails } = wanted;
  const counts = none();
  yield `{"format":${JSON.stringify(formatName)},"version":${formatVersion},"exportedAt":"${iso(now)}"`;
  yield `,\n"workspace":${JSON.stringify(head(workspace))}`;
  const read =
    <Row>(statement: string, ...more: unknown[]) =>
    (after: bigint, limit: number) =>
      query<Row>(statement, [workspace.id, after, limit, ...more]);
  const byId = <Row extends { id: bigint }>(statement: string, ...more: unknown[]) =>
    paged<Row, bigint>(read<Row>(statement, ...more), 0n, ({ id }) => id, size);

  yield ',\n"roles":[';
  yield* list(each(byId<Items["roles"] & { id: bigint }>(sql.roles), without, counts, "roles"));
  yield '],\n"members":[';
  yield* list(each(byId<MemberRow>(sql.members, showEmails), member, counts, "members"));
  yield '],\n"boards":[';
  yield* list(boardsOf(query, byId<BoardRow>(sql.boards), counts));
  yield '],\n"cards":[';
  yield* list(cardsOn(query, byId<BoardRow>(sql.boards), counts));
  yield `],\n"counts":${JSON.stringify(counts)},"complete":true}\n`;
}

/** Items as text with what stands between them; an item may come in pieces, of which the first begins with a brace. */
async function* list(texts: AsyncIterable<string>) {
  let isFirst = true;
  for await (const text of texts) {
    if (text.startsWith("{")) {
      yield isFirst ? "\n" : ",\n";
      isFirst = false;
    }
    yield text;
  }
}

async function* each<Row>(
  pages: AsyncIterable<Row[]>,
  show: (row: Row) => object,
  counts: Counts,
  kind: keyof Counts,
) {
  for await (const rows of pages) {
    for (const row of rows) {
      counts[kind]++;
      yield JSON.stringify(show(row));
    }
  }
}

async function* boardsOf(query: Query, pages: AsyncIterable<BoardRow[]>, counts: Counts) {
  for await (const boards of pages) {
    const ids = boards.map(({ id }) => id);
    const labels = byParent(await query<LabelRow>(sql.labels, [ids]));
    const lists = byParent(await query<ListRow>(sql.lists, [ids]));
    for (const board of boards) {
      const own = { labels: labels.get(board.id) ?? [], lists: lists.get(board.id) ?? [] };
      counts.boards++;
      counts.labels += own.labels.length;
      counts.lists += own.lists.length;
      yield JSON.stringify({
        ...archivable(board),
        labels: own.labels.map(({ parent: _, ...label }) => label),
        lists: own.lists.map(({ parent: _, ...row }) => archivable(row)),
      });
    }
  }
}

async function* cardsOn(query: Query, pages: AsyncIterable<BoardRow[]>, counts: Counts) {
  for await (const boards of pages) {
    const ids = boards.map(({ id }) => id);
    for (const row of await query<ListRow>(sql.lists, [ids])) yield* cardsOf(query, row, counts);
  }
}

function byParent<Row extends { parent: bigint }>(rows: Row[]) {
  const groups = new Map<bigint, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.parent);
    if (group === undefined) groups.set(row.parent, [row]);
    else group.push(row);
  }
  return groups;
}

const without = <Row extends { id: bigint }>({ id: _, ...row }: Row) => row;

const archivable = <
  Row extends { id: bigint; archivedAt: Date | null; createdAt: Date; updatedAt: Date },
>({
  id: _,
  archivedAt,
  createdAt,
  updatedAt,
  ...row
}: Row) => ({
  ...row,
  archivedAt: isoOrNull(archivedAt),
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
});

const member = ({ id: _, createdAt, joinedAt, ...row }: MemberRow) => ({
  ...row,
  createdAt: iso(createdAt),
  joinedAt: isoOrNull(joinedAt),
});

const head = (workspace: Workspace): Head["workspace"] => ({
  publicId: workspace.publicId,
  name: workspace.name,
  description: workspace.description,
  slug: workspace.slug,
  cardPrefix: workspace.cardPrefix,
  weekStartDay: workspace.weekStartDay,
  showEmailsToMembers: workspace.showEmailsToMembers,
  lastCardNumber: workspace.lastCardNumber,
  createdAt: iso(workspace.createdAt),
  updatedAt: iso(workspace.updatedAt),
});
