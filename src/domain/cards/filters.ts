import { z } from "zod";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

const some = (what: string) =>
  z
    .array(PublicId)
    .min(1, "Must name at least one; leave it out for all")
    .max(100)
    .meta({ description: `Only cards ${what}; separated by commas in a query.` })
    .optional();

/** When a card is due, by the days of UTC: `week` is the calendar week by the workspace's `weekStartDay`, `month` the calendar month; what is completed is never overdue. */
export const Due = z.enum(["overdue", "today", "tomorrow", "week", "month", "none"]).meta({
  description:
    "Only cards that are due then, by the days of UTC: `week` is the whole current week by the workspace's `weekStartDay`, `month` the whole current month, `overdue` what is past and not completed, `none` what has no due date.",
});

/** Which cards of a board are asked for: those that have any of the members, any of the labels, lie in any of the lists, and are due then. */
export const cardFilter = {
  members: some("that any of these members is on"),
  labels: some("with any of these labels"),
  lists: some("in these lists"),
  due: Due.optional(),
  archived: z
    .boolean()
    .default(false)
    .meta({ description: "Shows archived cards, and cards of archived lists, among the others." }),
};

/** How many cards of each list are shown. */
export const cardLimit = z
  .int()
  .min(1)
  .max(50_000)
  .meta({ description: "The most cards of each list; `cardCount` tells how many there are." })
  .optional();

/** Which cards, and how many of each list; `now` is what `due` is counted from. */
export type Wanted = {
  members?: string[] | undefined;
  labels?: string[] | undefined;
  lists?: string[] | undefined;
  due?: z.infer<typeof Due> | undefined;
  archived?: boolean | undefined;
  cardLimit?: number | undefined;
  now?: Date | undefined;
};

/** Whether the card `c` of the workspace `w` is due in a period, counted from `now`. */
export const isDue = (due: Wanted["due"] | null, now: Date | null): Sql => {
  const day = sql`date_trunc('day', ${now}::timestamptz)`;
  const weekday = sql`extract(dow FROM ${now}::timestamptz)::int`;
  const week = sql`${day} - make_interval(days => (${weekday} - w."weekStartDay" + 7) % 7)`;
  const month = sql`date_trunc('month', ${now}::timestamptz)`;
  const within = (from: Sql, span: Sql) =>
    sql`c."dueDate" >= ${from} AND c."dueDate" < ${from} + interval ${span}`;
  return sql`CASE ${due ?? null}::text
    WHEN 'overdue' THEN c."dueDate" < ${now}::timestamptz AND c."completedAt" IS NULL
    WHEN 'today' THEN ${within(day, sql`'1 day'`)}
    WHEN 'tomorrow' THEN ${within(sql`${day} + interval '1 day'`, sql`'1 day'`)}
    WHEN 'week' THEN ${within(week, sql`'7 days'`)}
    WHEN 'month' THEN ${within(month, sql`'1 month'`)}
    WHEN 'none' THEN c."dueDate" IS NULL END`;
};

/** Whether the card `c`, in the list `l` of the workspace `w`, passes the filter of a board. */
export function isWanted(boardId: bigint, wanted: Wanted): Sql {
  const { archived = false, members = null, labels = null, lists = null, due = null } = wanted;
  return sql`c."boardId" = ${boardId} AND c."deletedAt" IS NULL AND l."deletedAt" IS NULL
    AND (${archived} OR (c."archivedAt" IS NULL AND l."archivedAt" IS NULL))
    AND (${members}::text[] IS NULL OR EXISTS (SELECT 1 FROM card_members cm
      JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed'
      WHERE cm."cardId" = c.id AND m."publicId" = ANY(${members})))
    AND (${labels}::text[] IS NULL OR EXISTS (SELECT 1 FROM card_labels cl
      JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL
      WHERE cl."cardId" = c.id AND la."publicId" = ANY(${labels})))
    AND (${lists}::text[] IS NULL OR l."publicId" = ANY(${lists}))
    AND (${due}::text IS NULL OR ${isDue(due, wanted.now ?? null)})`;
}
