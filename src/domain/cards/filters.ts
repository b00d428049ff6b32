import { z } from "zod";
import { cardFields } from "../../contract/fields/card.ts";
import { filterShape, type FilterIn } from "../../contract/fields/field.ts";
import { isFiltered } from "../fields.ts";
import { exampleIds, type Kind } from "../../contract/vocabulary/ids.ts";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { startOfDate } from "../../kernel/time-zones.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

const onlyIds = (cards: string, kind: Kind) =>
  z
    .array(PublicId)
    .min(1, "Must have at least one id; omit the field to include all")
    .max(100)
    .meta({ description: `Only cards ${cards}.`, examples: [[exampleIds[kind]]] })
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
  ...filterShape(cardFields),
  archived: z
    .boolean()
    .default(false)
    .meta({ description: "Includes archived cards, and cards of archived lists." }),
};

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

/** A selection of the cards of a board; `due` is relative to `now`, in days of `timeZone`. */
export type CardSelection = FilterIn<typeof cardFields> & {
  members?: string[] | undefined;
  labels?: string[] | undefined;
  lists?: string[] | undefined;
  due?: z.infer<typeof Due> | undefined;
  archived?: boolean | undefined;
  cardLimit?: number | undefined;
  now?: Date | undefined;
  timeZone?: string | undefined;
};

/**
 * SQL: the card `c` of the workspace `w` is due in a period of a time zone around `now`.
 *
 * The due date may be another column, which is `infinity` for a card without one.
 */
export const isDue = (
  due: CardSelection["due"] | null,
  now: Date | null,
  timeZone: Sql,
  dueDate?: Sql,
): Sql => {
  const date = dueDate ?? sql`c."dueDate"`;
  const today = sql`(${now}::timestamptz AT TIME ZONE ${timeZone})::date`;
  const week = sql`${today} - (extract(dow FROM ${today})::int - w."weekStartDay" + 7) % 7`;
  const month = sql`date_trunc('month', ${today}::timestamp)`;
  const within = (from: Sql, until: Sql) => sql`${date} >= ${startOfDate(from, timeZone)}
    AND ${date} < ${startOfDate(until, timeZone)}`;
  switch (due) {
    case "overdue":
      return sql`${date} < ${now}::timestamptz AND c."completedAt" IS NULL`;
    case "today":
      return within(today, sql`${today} + 1`);
    case "tomorrow":
      return within(sql`${today} + 1`, sql`${today} + 2`);
    case "week":
      return within(week, sql`${week} + 7`);
    case "month":
      return within(month, sql`${month} + interval '1 month'`);
    case "none":
      return dueDate === undefined ? sql`${date} IS NULL` : sql`${date} = 'infinity'`;
    default:
      return sql`true`;
  }
};

/** SQL: the card `c` of the workspace `w` is due in the period of a selection. */
export const isDueIn = ({ due, now, timeZone = "UTC" }: CardSelection): Sql =>
  isDue(due, now ?? null, sql`${timeZone}::text`);

/** SQL: the card `c` has the values that a selection names. */
export const hasValues = (selection: CardSelection): Sql => isFiltered(cardFields, "c", selection);

// Without a filter there is no condition: `OR` with a sub-query is evaluated for every card.
const onlyIf = (value: readonly string[] | undefined, condition: (ids: readonly string[]) => Sql) =>
  value === undefined ? sql.empty : condition(value);

/** SQL: the card `c`, in the list `l` of the workspace `w`, is selected on a board. */
export function isSelected(boardId: bigint, selection: CardSelection): Sql {
  const { archived = false, members, labels, lists, due } = selection;
  return sql`c."boardId" = ${boardId} AND c."deletedAt" IS NULL AND l."deletedAt" IS NULL
    ${archived ? sql.empty : sql`AND c."archivedAt" IS NULL AND l."archivedAt" IS NULL`}
    ${onlyIf(
      members,
      (ids) => sql`AND c.id IN (SELECT cm."cardId" FROM card_members cm
        WHERE cm."memberId" = ANY (ARRAY(SELECT m.id FROM members m
          WHERE m.status <> 'removed' AND m."publicId" = ANY(${ids}::text[]))))`,
    )}
    ${onlyIf(
      labels,
      (ids) => sql`AND c.id IN (SELECT cl."cardId" FROM card_labels cl
        WHERE cl."labelId" = ANY (ARRAY(SELECT la.id FROM labels la
          WHERE la."boardId" = ${boardId} AND la."deletedAt" IS NULL
            AND la."publicId" = ANY(${ids}::text[]))))`,
    )}
    ${onlyIf(lists, (ids) => sql`AND l."publicId" = ANY(${ids}::text[])`)}
    ${due === undefined ? sql.empty : sql`AND ${isDueIn(selection)}`}
    ${hasValues(selection)}`;
}
