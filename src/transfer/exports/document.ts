import type { HistoryReader } from "../../kernel/events/activity.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Workspace } from "../../platform/db/rows.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { iso, isoOrNull } from "../../contract/vocabulary/fields.ts";
import { cardsOf } from "./cards.ts";
import { emptyCounts, type DocumentCounts } from "../format/counts.ts";
import { formatName, formatVersion, type Head, type Items } from "../format/workspace.ts";
import { paged } from "./pages.ts";
import * as statements from "./statements.ts";

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
type LabelRow = Child<Items["boards"]["labels"][number]>;
type FieldRow = Child<Items["boards"]["fields"][number]>;
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
    yield lines(rows.map(without), counts, "roles");
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

/** Boards with their labels, fields and lists. */
async function withParts(query: Query, boards: BoardRow[], counts: DocumentCounts) {
  const ids = boards.map(({ id }) => id);
  const labels = await query<LabelRow>(statements.labels(ids));
  const fieldsOf = byParent(await query<FieldRow>(statements.fields(ids)));
  const lists = await query<ListRow>(statements.lists(ids));
  counts.labels += labels.length;
  counts.lists += lists.length;
  const [labelsOf, listsOf] = [byParent(labels), byParent(lists)];
  return boards.map((board) => ({
    ...archivable(board),
    labels: labelsOf.get(board.id) ?? [],
    fields: fieldsOf.get(board.id) ?? [],
    lists: (listsOf.get(board.id) ?? []).map((row) => archivable(row)),
  }));
}

function byParent<Row extends { parent: bigint }>(rows: Row[]) {
  const groups = new Map<bigint, Omit<Row, "parent">[]>();
  for (const { parent, ...row } of rows) {
    const group = groups.get(parent);
    if (group === undefined) groups.set(parent, [row]);
    else group.push(row);
  }
  return groups;
}

function without<Row extends { id: bigint }>(row: Row): Omit<Row, "id"> {
  const { id: _, ...shown } = row;
  return shown;
}

type Dated = { id: bigint; createdAt: Date; updatedAt: Date };
const dated = <Row extends Dated>(row: Row) => ({
  ...without(row),
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
});
const archivable = <Row extends Dated & { archivedAt: Date | null }>(row: Row) => ({
  ...dated(row),
  archivedAt: isoOrNull(row.archivedAt),
});

const member = (row: MemberRow) => ({
  ...without(row),
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
