import { isoText } from "../../platform/db/iso-text.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { groupBy } from "../../platform/maps.ts";
import { sameUser } from "./members.ts";
import type { Part, RowsPart } from "./part.ts";
import { jsonRows, type OnCard } from "./rows-sql.ts";

const bytesPerItem = 200;

// Each checklist is looked up by index, also before PostgreSQL has statistics.
const from = sql`checklists ch CROSS JOIN LATERAL (SELECT i."completedAt", i.title
  FROM checklist_items i WHERE i."checklistId" = ch.id AND i."deletedAt" IS NULL OFFSET 0) i`;
const fromBoard = sql`checklists ch
  JOIN checklist_items i ON i."checklistId" = ch.id AND i."deletedAt" IS NULL`;
const isOn = (cardId: Sql) => sql`ch."cardId" = ${cardId} AND ch."deletedAt" IS NULL`;
const withItems = sql`checklists ch
  LEFT JOIN checklist_items i ON i."checklistId" = ch.id AND i."deletedAt" IS NULL
  LEFT JOIN members m ON m.id = i."memberId" AND m.status <> 'removed'`;

type List = {
  publicId: string;
  name: string;
  version: number;
  createdAt: string;
  updatedAt: string;
};
type Item = { publicId: string; completedAt: string | null };
/** An item, or none. `isLeftOut` if it is beyond a limit, `itemCount` with those that are. */
type Row = OnCard & { list: List; item: Item | null; itemCount?: number; isLeftOut?: boolean };

const datesOf = (row: Sql) =>
  sql`, 'createdAt', ${isoText(sql`${row}."createdAt"`)}, 'updatedAt', ${isoText(sql`${row}."updatedAt"`)}`;

const listOf = (dates: Sql) => sql`json_build_object('publicId', ch."publicId", 'name', ch.name,
  'version', ch.version${dates})`;
const itemOf = (dates: Sql) =>
  sql`CASE WHEN i.id IS NOT NULL THEN json_build_object('publicId', i."publicId", 'title', i.title,
    'completedAt', ${isoText(sql`i."completedAt"`)}, 'memberPublicId', m."publicId",
    'dueDate', ${isoText(sql`i."dueDate"`)}, 'isDueAllDay', i."isDueAllDay",
    'version', i.version${dates}) END`;

/** One row an item. An empty checklist has a row without one. */
const columns = sql`${listOf(datesOf(sql`ch`))} AS list, ${itemOf(datesOf(sql`i`))} AS item`;
const textBytes = sql`octet_length(coalesce(i.title, ''))`;

/**
 * SQL: checklists with their items, as a card alone shows them; one whose items are all left out
 * has a row. The first row of a checklist has more than its id.
 */
const limitedJson = (cardId: Sql, bytes: number) =>
  jsonRows(sql`SELECT CASE WHEN nth = 1 THEN ${listOf(sql.empty)}
      ELSE json_build_object('publicId', ch."publicId") END AS list,
      item, "itemCount", bytes > ${sql.number(bytes)} AS "isLeftOut"
    FROM (SELECT ch."publicId", ch.name, ch.version, ${itemOf(sql.empty)} AS item,
        count(i.id) OVER (PARTITION BY ch.id) AS "itemCount",
        row_number() OVER (PARTITION BY ch.id ORDER BY i.position, i.id) AS nth,
        sum(${sql.number(bytesPerItem)} + ${textBytes}) OVER parts AS bytes
      FROM ${withItems} WHERE ${isOn(cardId)}
      WINDOW parts AS (ORDER BY ch.position, ch.id, i.position, i.id)
      ORDER BY ch.position, ch.id, i.position, i.id) ch
    WHERE nth = 1 OR bytes <= ${sql.number(bytes)}`);

type Checklist = List & { itemCount: number; items: object[] };

/** The checklists of rows, with their items. */
function checklistsOf(itemRows: Row[]): Checklist[] {
  const lists = groupBy(itemRows, ({ list }) => list.publicId);
  return [...lists.values()].flatMap((rowsOfList) => {
    const [first] = rowsOfList;
    if (first === undefined) return [];
    const items = rowsOfList.flatMap(({ item, isLeftOut }) => {
      if (item === null || isLeftOut === true) return [];
      const isComplete = item.completedAt !== null;
      return [{ ...item, isComplete, completed: isComplete }];
    });
    return [{ ...first.list, itemCount: first.itemCount ?? items.length, items }];
  });
}

const rows: RowsPart<Row, Checklist> = {
  kind: "checklist",
  columns,
  from: withItems,
  isOn,
  first: sql`ch.position`,
  second: sql`coalesce(i.position, '-infinity')`,
  start: ["-infinity", "-infinity"],
  textBytes,
  groupOf: ({ list }) => list.publicId,
  things: checklistsOf,
  within: (lists) => ({ checklistItems: lists.reduce((sum, { items }) => sum + items.length, 0) }),
  limited: {
    json: limitedJson,
    isCut: (lists) => lists.some(({ items, itemCount }) => items.length < itemCount),
  },
};

/** The checklists of a card, with their items. */
export const checklists = {
  from,
  isOn,
  summary: {
    count: ({ itemCount: total, completedItemCount: completed }) => ({
      checklistItems: { total, completed },
    }),
  },
  kept: {
    columns: {
      itemCount: sql`count(*)::int`,
      completedItemCount: sql`count(i."completedAt")::int`,
    },
    from,
    isOn,
    isChangedBy: ({ type }) => /^checklist(?:_item)?\./.test(type),
  },
  rows,
  csv: { columns: ["checklistItems", "checklistItemsCompleted"] },
  copied: [
    {
      table: "checklists",
      alias: "ch",
      from: sql`checklists ch`,
      columns: ["position", "name"],
      texts: ["name"],
    },
    {
      table: "checklist_items",
      alias: "i",
      from: fromBoard,
      columns: ["position", "title", "dueDate", "isDueAllDay"],
      texts: ["title"],
      memberColumns: ["memberId"],
    },
  ],
  toWorkspace: {
    checklist_items: (where, targetId) => [
      sql`UPDATE checklist_items t SET "workspaceId" = ${targetId},
          "memberId" = (SELECT n.id FROM ${sameUser(targetId)} WHERE o.id = t."memberId")
        WHERE ${where}`,
    ],
  },
  assigned: {
    table: "checklist_items",
    cardId: sql`(SELECT ch."cardId" FROM checklists ch WHERE ch.id = "checklistId")`,
    isOn: (cards) => sql`"deletedAt" IS NULL AND "checklistId" IN (SELECT ch.id FROM checklists ch
      WHERE ch."cardId" IN (${cards}) AND ch."deletedAt" IS NULL)`,
    unassign: (where) => sql`UPDATE checklist_items SET "memberId" = NULL WHERE ${where}`,
  },
} satisfies Part;
