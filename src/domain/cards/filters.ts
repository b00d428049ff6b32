import { z } from "zod";
import { cardFields } from "../../contract/fields/card.ts";
import { filterFields, filterShape, type FilterIn } from "../../contract/fields/field.ts";
import { dueTrees } from "../../contract/filter/due.ts";
import type { FilterTree } from "../../contract/filter/tree.ts";
import type { Permission } from "../../contract/vocabulary/permissions.ts";
import { exampleIds, type Kind } from "../../contract/vocabulary/ids.ts";
import { PublicId } from "../../contract/vocabulary/texts.ts";
import { timeZoneFor } from "../../kernel/time-zones.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { customNamesIn, readCustomFields, type CustomFields } from "../filters/custom-fields.ts";
import type { Query } from "../../platform/db/query.ts";
import { compileFilter, type Filtering } from "../filters/compile.ts";

const onlyIds = (cards: string, kind: Kind) =>
  z
    .array(PublicId)
    .min(1, "Must have at least one id; omit the field to include all")
    .max(100)
    .meta({ description: `Only cards ${cards}.`, examples: [[exampleIds[kind]]] })
    .optional();

const onlyIf = (cards: string) =>
  z
    .boolean()
    .meta({ description: `Only cards ${cards}; with \`false\` only the others.`, examples: [true] })
    .optional();

const DueFilter = z
  .enum(["overdue", "today", "tomorrow", "week", "month", "none"])
  .meta({ id: "DueFilter", description: "A period of due dates." });

/** The filter on due dates. */
export const Due = DueFilter.meta({
  description:
    "Only cards due in this period. Days are those of the caller's `timeZone`, else of the " +
    "workspace's, else of UTC. `week` is the current calendar week from the workspace's " +
    "`weekStartDay`, `month` the current calendar month, `overdue` is past and not completed, " +
    "`none` is without a due date.",
  examples: ["overdue"],
});

/** The filters on the cards of a board; a card must pass all of them. */
export const cardFilter = {
  members: onlyIds("that any of these members is assigned to", "member"),
  labels: onlyIds("with any of these labels", "label"),
  lists: onlyIds("in any of these lists", "list"),
  due: Due.optional(),
  parent: onlyIds("that are children of any of these cards", "card"),
  blocks: onlyIds("that block any of these cards", "card"),
  isBlocked: onlyIf("that cards of the board which are not complete block"),
  isReady: onlyIf("that can be worked on: not complete, archived, claimed or blocked"),
  hasChildren: onlyIf("with children on the board"),
  ...filterShape(cardFields),
  archived: z
    .boolean()
    .default(false)
    .meta({ description: "Includes archived cards, and cards of archived lists." }),
};

/** Where an input has its tree if the filters are one object. */
export const treeInFilters: readonly string[] = ["filter", "filter"];

/** The number of cards per list. */
export const cardLimit = z
  .int()
  .min(1)
  .max(50_000)
  .meta({
    description: "The maximum number of cards per list; `cardCount` has the total.",
    examples: [50],
  })
  .optional();

/** Who selects cards, and when: their days, what they may see, and their id as a member. */
export type Asker = {
  now: Date;
  timeZone: string;
  weekStartDay: number;
  me?: string | null;
  may?: ReadonlySet<Permission>;
};

type Zoned = { timeZone: string | null };

/** The caller of an operation who selects cards of a workspace. */
export const askerOf = (
  ctx: {
    caller: Zoned;
    workspace: Zoned & { weekStartDay: number };
    membership: { publicId: string; may: ReadonlySet<Permission> };
  },
  now: Date,
): Asker => ({
  now,
  timeZone: timeZoneFor(ctx.caller, ctx.workspace),
  weekStartDay: ctx.workspace.weekStartDay,
  me: ctx.membership.publicId,
  may: ctx.membership.may,
});

/** A selection of the cards of a board by who asks. */
export type CardSelection = FilterIn<typeof cardFields> & {
  members?: string[] | undefined;
  labels?: string[] | undefined;
  lists?: string[] | undefined;
  due?: z.infer<typeof Due> | undefined;
  parent?: string[] | undefined;
  blocks?: string[] | undefined;
  isBlocked?: boolean | undefined;
  isReady?: boolean | undefined;
  hasChildren?: boolean | undefined;
  filter?: FilterTree | undefined;
  archived?: boolean | undefined;
  cardLimit?: number | undefined;
  asker?: Asker;
  /** The custom fields that the filter names. */
  custom?: CustomFields | undefined;
};

/** The cards that a caller selects on a board, with the custom fields that the call names. */
export const selectionFor = <Filters extends CardSelection>(
  query: Query,
  { board, ...asking }: Parameters<typeof askerOf>[0] & { board: { id: bigint } },
  now: Date,
  filters: Filters,
  options: FieldsOfSelection = {},
) => withCustomFields(query, board.id, { ...filters, asker: askerOf(asking, now) }, options);

type FieldsOfSelection = {
  /** The names of fields that are needed besides those of the filter. */
  extraNames?: readonly string[];
  /** The path of the filter in the input. */
  at?: readonly string[] | undefined;
};

/** A selection with the custom fields of the board that its filter, or `extraNames`, names. */
export async function withCustomFields<Selection extends CardSelection>(
  query: Query,
  boardId: bigint,
  selection: Selection,
  { extraNames = [], at }: FieldsOfSelection = {},
): Promise<Selection> {
  const names = [...customNamesIn(selection.filter), ...extraNames];
  if (names.length === 0) return selection;
  const isOfBoard = sql`f."boardId" = ${boardId}`;
  return {
    ...selection,
    custom: await readCustomFields(query, isOfBoard, names, selection.filter, at),
  };
}

const flags = ["isBlocked", "isReady", "hasChildren"] as const;

/** The filters that a card must pass, beside the lists and the tree of the caller. */
function sugarOf(selection: CardSelection): FilterTree[] {
  const ofFields = filterFields(cardFields).map(([name]) => name);
  const fieldNames = ["members", "labels", "parent", "blocks", ...flags, ...ofFields];
  const values: Readonly<Record<string, unknown>> = selection;
  const { due } = selection;
  return [
    ...fieldNames.flatMap((field): FilterTree[] => {
      const value = values[field];
      if (typeof value === "boolean") return [{ field, op: "is", value }];
      return Array.isArray(value) ? [{ field, op: "isAnyOf", value }] : [];
    }),
    ...(due === undefined ? [] : [dueTrees[due]]),
  ];
}

const conditionsIn = (tree: FilterTree): FilterTree[] =>
  "and" in tree ? tree.and.flatMap(conditionsIn) : [tree];

/** The conditions that a card must all pass. */
export const conditionsOf = (selection: CardSelection): FilterTree[] =>
  [...sugarOf(selection), ...(selection.filter ? [selection.filter] : [])].flatMap(conditionsIn);

/** Whether a selection leaves out cards by what they have. */
export const hasConditions = (selection: CardSelection): boolean =>
  conditionsOf(selection).length > 0;

const unknownAsker: Asker = { now: new Date(0), timeZone: "UTC", weekStartDay: 1 };

/** How the conditions of a selection are compiled. */
export function filteringOf(
  { asker = unknownAsker, custom }: CardSelection,
  isPerCard = false,
): Filtering {
  const { now, timeZone, weekStartDay, me = null, may } = asker;
  return { now: now.getTime(), timeZone, weekStartDay, me, may, isPerCard, custom };
}

/**
 * SQL: `AND` the conditions of a selection on the card `c`, in the list `l` of the workspace `w`.
 *
 * Without a filter there is no condition: one that is true costs time for every card.
 */
export function isPassing(selection: CardSelection, isPerCard = false): Sql {
  const filtering = filteringOf(selection, isPerCard);
  const compiled = sugarOf(selection)
    .flatMap(conditionsIn)
    .map((tree) => sql`AND ${compileFilter(tree, filtering)}`);
  return sql`${sql.join(compiled, sql` `)} ${isPassingTree(selection, isPerCard)}`;
}

/** SQL: `AND` the tree of a selection. */
export const isPassingTree = (selection: CardSelection, isPerCard = false): Sql =>
  selection.filter === undefined
    ? sql.empty
    : sql`AND (${sql.unprepared(
        compileFilter(selection.filter, filteringOf(selection, isPerCard)),
      )})`;

/**
 * SQL: the list `l` and the workspace `w` of each card `c`.
 *
 * Without statistics PostgreSQL would begin with all lists, and read or test the cards for each.
 */
export const parentsOfCard = sql`
  CROSS JOIN LATERAL (SELECT * FROM lists l WHERE l.id = c."listId" OFFSET 0) l
  CROSS JOIN LATERAL (SELECT * FROM workspaces w WHERE w.id = c."workspaceId" OFFSET 0) w`;

/** SQL: the card `c` of each id, with its list and its workspace. */
export const cardWith = (id: Sql): Sql => sql`
  CROSS JOIN LATERAL (SELECT * FROM cards c WHERE c.id = ${id} OFFSET 0) c ${parentsOfCard}`;

/** SQL: the card `c`, in the list `l` of the workspace `w`, is selected on a board. */
export function isSelected(boardId: bigint, selection: CardSelection): Sql {
  const { archived = false, lists } = selection;
  return sql`c."boardId" = ${boardId} AND c."deletedAt" IS NULL AND l."deletedAt" IS NULL
    ${archived ? sql.empty : sql`AND c."archivedAt" IS NULL AND l."archivedAt" IS NULL`}
    ${lists === undefined ? sql.empty : sql`AND l."publicId" = ANY(${lists}::text[])`}
    ${isPassing(selection)}`;
}
