import type { HistoryReader } from "../../kernel/events/activity.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Workspace } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { iso, isoOrNull } from "../../contract/vocabulary/texts.ts";
import { readParts, shownRow } from "../../domain/boards/parts.ts";
import { cardsOf } from "./cards.ts";
import { emptyCounts, type DocumentCounts } from "../format/counts.ts";
import { formatName, formatVersion, type Head, type Items } from "../format/workspace.ts";
import { paged } from "./pages.ts";
import * as statements from "./statements.ts";
import { groupBy } from "../../platform/maps.ts";

/** What is exported: a workspace, the moment, its reader, and whether emails are included. */
export type ExportSource = {
  workspace: Workspace;
  now: Date;
  reader: HistoryReader;
  showEmails: boolean;
};

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
  "labels" | "fields" | "lists"
>;
type ViewRow = Stored<Items["views"], "createdAt" | "updatedAt">;
type Child<Item> = Item & { parent: bigint };
type ListRow = Child<
  Stored<Items["boards"]["lists"][number], "archivedAt" | "createdAt" | "updatedAt">
>;

const size = 200;

/**
 * Writes a workspace as one JSON document, page by page: memory does not grow with the workspace.
 *
 * The document ends with its counts and `complete`, so that a reader notices a cut-off one.
 */
export async function* documentOf(query: Query, source: ExportSource): AsyncGenerator<string> {
  const { workspace, now, reader, showEmails } = source;
  const counts = emptyCounts();
  yield `{"format":${JSON.stringify(formatName)},"version":${formatVersion}`;
  yield `,"exportedAt":"${iso(now)}"`;
  yield `,\n"workspace":${JSON.stringify(head(workspace))}`;
  const byId = <Row extends { id: bigint }>(statement: (page: statements.RowPage) => Sql) =>
    paged<Row, bigint>(
      (after, limit) => query<Row>(statement({ workspaceId: workspace.id, after, limit })),
      0n,
      ({ id }) => id,
      size,
    );

  yield ',\n"roles":[';
  for await (const rows of byId<Items["roles"] & { id: bigint }>(statements.roles)) {
    yield lines(rows.map(withoutId), counts, "roles");
  }
  yield '],\n"members":[';
  for await (const rows of byId<MemberRow>(statements.members(showEmails))) {
    yield lines(rows.map(member), counts, "members");
  }
  yield '],\n"boards":[';
  for await (const rows of byId<BoardRow>(statements.boards)) {
    yield lines(await withParts(query, rows, counts), counts, "boards");
  }
  yield '],\n"views":[';
  for await (const rows of byId<ViewRow>(statements.views(reader.memberId))) {
    yield lines(rows.map(dated), counts, "views");
  }
  yield '],\n"cards":[';
  const before = () => (counts.cards === 1 ? "\n" : ",\n");
  for await (const rows of byId<BoardRow>(statements.boards)) {
    const ids = rows.map(({ id }) => id);
    for (const row of await query<ListRow>(statements.lists(ids))) {
      yield* cardsOf({ query, reader }, row, before, counts);
    }
  }
  yield `],\n"counts":${JSON.stringify(counts)},"complete":true}\n`;
}

/** Items of a section, one per line. */
function lines(
  items: object[],
  counts: DocumentCounts,
  section: "roles" | "members" | "boards" | "views",
): string {
  const start = counts[section] === 0 ? "\n" : ",\n";
  counts[section] += items.length;
  return start + items.map((item) => JSON.stringify(item)).join(",\n");
}

/** Boards with their parts. */
async function withParts(query: Query, boards: BoardRow[], counts: DocumentCounts) {
  const ids = boards.map(({ id }) => id);
  const parts = await readParts(query, sql`ANY(${ids}::bigint[])`);
  const lists = await query<ListRow>(statements.lists(ids));
  for (const { name, rows } of parts) if (name === "labels") counts[name] += rows.length;
  counts.lists += lists.length;
  const listsOf = byParent(lists);
  const partsOf = parts.map(({ name, rows }) => [name, byParent(rows)] as const);
  return boards.map((board) => ({
    ...archivable(board),
    ...Object.fromEntries(
      partsOf.map(([name, rows]) => [name, (rows.get(board.id) ?? []).map(shownRow)]),
    ),
    lists: (listsOf.get(board.id) ?? []).map(({ parent: _parent, ...row }) => archivable(row)),
  }));
}

const byParent = <Row extends { parent: bigint }>(rows: Row[]) =>
  groupBy(rows, ({ parent }) => parent);

function withoutId<Row extends { id: bigint }>(row: Row): Omit<Row, "id"> {
  const { id: _, ...shown } = row;
  return shown;
}

type Dated = { id: bigint; createdAt: Date; updatedAt: Date };
const dated = <Row extends Dated>(row: Row) => ({
  ...withoutId(row),
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
});
const archivable = <Row extends Dated & { archivedAt: Date | null }>(row: Row) => ({
  ...dated(row),
  archivedAt: isoOrNull(row.archivedAt),
});

const member = (row: MemberRow) => ({
  ...withoutId(row),
  createdAt: iso(row.createdAt),
  joinedAt: isoOrNull(row.joinedAt),
});

const head = (workspace: Workspace): Head["workspace"] => ({
  publicId: workspace.publicId,
  name: workspace.name,
  description: workspace.description,
  slug: workspace.slug,
  cardPrefix: workspace.cardPrefix,
  weekStartDay: workspace.weekStartDay,
  timeZone: workspace.timeZone,
  showEmailsToMembers: workspace.showEmailsToMembers,
  lastCardNumber: workspace.lastCardNumber,
  createdAt: iso(workspace.createdAt),
  updatedAt: iso(workspace.updatedAt),
});
