import type { SortKey } from "../../contract/filter/sort.ts";
import { usualSort } from "../../contract/filter/sort.ts";
import type { FilterTree } from "../../contract/filter/tree.ts";
import { isVisible, viewerOf } from "../../kernel/access/visibility.ts";
import type { HandlerContext } from "../../kernel/invocation/types.ts";
import type { DatabaseReader } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { askerOf, type CardSelection } from "../cards/filters.ts";
import { groupingIn, type Grouping } from "../../contract/resources/views.ts";
import { readSameNamed, type CustomFields } from "../filters/custom-fields.ts";
import { contentOf } from "../presenters/views.ts";
import { isBrokenGroup, isBrokenKey, readTargets, withoutBroken } from "./targets.ts";

type Call = HandlerContext<"view.cards"> & { db: DatabaseReader };

/** The cards that a view shows to its reader now. */
export type ViewSelection = {
  /** The boards that the reader sees. */
  boards: bigint[];
  selection: CardSelection & { custom: CustomFields };
  sort: SortKey[];
  groupBy: ViewGrouping | null;
};

/** What cards are grouped by; `custom` are the fields whose options are the groups, if any. */
export type ViewGrouping = Grouping & { custom: CustomFields };

/** Reads which cards a view shows to its reader, without what is broken. */
export async function selectionOf(
  { view, workspace, db, ...ctx }: Call,
  now: Date,
): Promise<ViewSelection> {
  const viewer = viewerOf(ctx);
  const stored = contentOf(view);
  const targets = await readTargets(db.query, workspace.id, viewer, [stored]);
  const { filter, groupBy } = stored;
  const sort = stored.sortBy.filter(({ field }) => !isBrokenKey(field, targets));
  return {
    boards: await boardsOf(),
    selection: {
      ...(filter === null ? {} : { filter: withoutBroken(filter, targets) }),
      asker: askerOf({ ...ctx, workspace }, now),
      custom: targets.fields,
    },
    sort: sort.length === 0 ? usualSort("position") : sort,
    groupBy: groupBy === null || isBrokenGroup(groupBy, targets) ? null : await groupingOf(groupBy),
  };

  async function groupingOf(text: string): Promise<ViewGrouping> {
    const grouping = groupingIn(text);
    const field = targets.fields.get(grouping.field);
    if (field === undefined) return { ...grouping, custom: new Map() };
    const isSeen = sql`b."workspaceId" = ${workspace.id} AND b."deletedAt" IS NULL
      AND ${isVisible(viewer)}`;
    const custom = grouping.byName
      ? await readSameNamed(db.query, isSeen, field)
      : new Map([[grouping.field, field]]);
    return { ...grouping, custom };
  }

  async function boardsOf(): Promise<bigint[]> {
    if (view.boardId !== null) return [view.boardId];
    if (stored.boards.length > 0)
      return stored.boards.flatMap((publicId) => targets.boards.get(publicId) ?? []);
    const rows = await db.query<{ id: bigint }>(sql`SELECT b.id FROM boards b
      WHERE b."workspaceId" = ${workspace.id} AND b."deletedAt" IS NULL
        AND b."archivedAt" IS NULL AND ${isVisible(viewer)} ORDER BY b.id`);
    return rows.map(({ id }) => id);
  }
}

/** A selection with one more condition. */
export const narrowed = <Selection extends CardSelection>(
  selection: Selection,
  tree: FilterTree,
): Selection => ({
  ...selection,
  filter: selection.filter === undefined ? tree : { and: [selection.filter, tree] },
});
