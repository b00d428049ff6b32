import { z } from "zod";
import { PublicId } from "../../contract/vocabulary/fields.ts";

const ids = (cards: string) =>
  z
    .array(PublicId)
    .min(1, "Must have at least one id; omit the field to select all")
    .max(100)
    .meta({ description: `Only cards ${cards}; comma-separated in a query string.` })
    .optional();

/** The filter on due dates. */
export const Due = z.enum(["overdue", "today", "tomorrow", "week", "month", "none"]).meta({
  description:
    "Only cards due in this period, in UTC days. `week` is the current calendar week from the " +
    "workspace's `weekStartDay`, `month` the current calendar month, `overdue` is past and not " +
    "completed, `none` is without a due date.",
});

/** The filters on the cards of a board; a card must pass all of them. */
export const cardFilter = {
  members: ids("that any of these members is assigned to"),
  labels: ids("with any of these labels"),
  lists: ids("in any of these lists"),
  due: Due.optional(),
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
  .meta({ description: "The maximum number of cards per list; `cardCount` has the total." })
  .optional();

/** A selection of the cards of a board; `due` is relative to `now`. */
export type CardSelection = {
  members?: string[] | undefined;
  labels?: string[] | undefined;
  lists?: string[] | undefined;
  due?: z.infer<typeof Due> | undefined;
  archived?: boolean | undefined;
  cardLimit?: number | undefined;
  now?: Date | undefined;
};

/** SQL: a card `c` of a workspace `w` passes the `Due` filter in `due`, relative to `now`. */
export const isDue = (due: string, now: string) => {
  const day = `date_trunc('day', ${now}::timestamptz)`;
  const weekday = `(extract(dow FROM ${now}::timestamptz)::int - w."weekStartDay" + 7) % 7`;
  const week = `${day} - make_interval(days => ${weekday})`;
  const month = `date_trunc('month', ${now}::timestamptz)`;
  const within = (from: string, span: string) =>
    `c."dueDate" >= ${from} AND c."dueDate" < ${from} + interval '${span}'`;
  return `CASE ${due}::text
    WHEN 'overdue' THEN c."dueDate" < ${now}::timestamptz AND c."completedAt" IS NULL
    WHEN 'today' THEN ${within(day, "1 day")}
    WHEN 'tomorrow' THEN ${within(`${day} + interval '1 day'`, "1 day")}
    WHEN 'week' THEN ${within(week, "7 days")}
    WHEN 'month' THEN ${within(month, "1 month")}
    WHEN 'none' THEN c."dueDate" IS NULL END`;
};

/** SQL: a card `c` in list `l` of workspace `w` is selected; see `selectionValues` for $1–$7. */
export const isSelected = `c."boardId" = $1 AND c."deletedAt" IS NULL AND l."deletedAt" IS NULL
  AND ($2 OR (c."archivedAt" IS NULL AND l."archivedAt" IS NULL))
  AND ($3::text[] IS NULL OR EXISTS (SELECT 1 FROM card_members cm
    JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed'
    WHERE cm."cardId" = c.id AND m."publicId" = ANY($3)))
  AND ($4::text[] IS NULL OR EXISTS (SELECT 1 FROM card_labels cl
    JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL
    WHERE cl."cardId" = c.id AND la."publicId" = ANY($4)))
  AND ($5::text[] IS NULL OR l."publicId" = ANY($5))
  AND ($6::text IS NULL OR ${isDue("$6", "$7")})`;

/** The values of the parameters of `isSelected`. */
export const selectionValues = (boardId: bigint, selection: CardSelection): unknown[] => [
  boardId,
  selection.archived ?? false,
  selection.members ?? null,
  selection.labels ?? null,
  selection.lists ?? null,
  selection.due ?? null,
  selection.now ?? null,
];
