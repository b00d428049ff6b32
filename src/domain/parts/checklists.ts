import { iso, isoOrNull } from "../../contract/vocabulary/fields.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { showChecklist, showItem, type ItemView } from "../shown/checklists.ts";
import { sameUser } from "./members.ts";
import type { Part, RowsPart, ShownDetail } from "./part.ts";
import { cardRef, jsonList, jsonRows, onCards, type OnCard } from "./rows-sql.ts";
import { groupBy } from "../../platform/maps.ts";

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

/** SQL: checklists with their items; one whose items are all left out has a row without an item. */
const itemsOf = (cardId: Sql, max: number) => sql`SELECT "checklistPublicId", name,
    "checklistVersion", "itemCount",
    CASE WHEN bytes <= ${sql.number(max)} THEN "publicId" END AS "publicId",
    title, "completedAt", "dueDate", version, "memberPublicId"
  FROM (
    SELECT ch."publicId" AS "checklistPublicId", ch.name, ch.version AS "checklistVersion",
      i."publicId", i.title, i."completedAt", i."dueDate", i.version,
      m."publicId" AS "memberPublicId", count(i.id) OVER (PARTITION BY ch.id) AS "itemCount",
      row_number() OVER (PARTITION BY ch.id ORDER BY i.position, i.id) AS nth,
      sum(${sql.number(bytesPerItem)} + octet_length(coalesce(i.title, ''))) OVER parts AS bytes
    FROM ${withItems} WHERE ${isOn(cardId)}
    WINDOW parts AS (ORDER BY ch.position, ch.id, i.position, i.id)
    ORDER BY ch.position, ch.id, i.position, i.id) parts
  WHERE nth = 1 OR bytes <= ${sql.number(max)}`;

type OfList = { checklistPublicId: string; name: string; checklistVersion: number };
/** An item as JSON has it, or none. */
type ReadItem = OfList & { itemCount: number } & (
    | (Omit<ItemView, "completedAt" | "dueDate"> & Record<"completedAt" | "dueDate", string | null>)
    | { publicId: null }
  );

const dateOf = (moment: string | null) => (moment === null ? null : new Date(moment));

/** Shows checklists: a first row of each, and those of its rows that have an item. */
function listsOf<Row extends OfList & { publicId: string | null }, Shown>(
  rows: readonly Row[],
  show: (list: Row, items: Exclude<Row, { publicId: null }>[]) => Shown,
): Shown[] {
  const lists = groupBy(rows, ({ checklistPublicId }) => checklistPublicId);
  const hasItem = (row: Row): row is Exclude<Row, { publicId: null }> => row.publicId !== null;
  return [...lists.values()].flatMap((list) => {
    const [first] = list;
    return first === undefined ? [] : [show(first, list.filter(hasItem))];
  });
}

const viewOf = ({ checklistPublicId: publicId, name, checklistVersion: version }: OfList) =>
  showChecklist({ publicId, name, version });

const shownLists = (rows: ReadItem[]): ShownDetail["checklists"] =>
  listsOf(rows, (list, items) => ({
    ...viewOf(list),
    itemCount: list.itemCount,
    items: items.map((item) =>
      showItem({
        ...item,
        completedAt: dateOf(item.completedAt),
        dueDate: dateOf(item.dueDate),
      }),
    ),
  }));

type Dated = { createdAt: Date; updatedAt: Date };
type ItemRow = OnCard &
  OfList & { listCreatedAt: Date; listUpdatedAt: Date } & ((ItemView & Dated) | { publicId: null });

const dated = ({ createdAt, updatedAt }: Dated) => ({
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
});

/** One row an item. An empty checklist has a row without one. */
const rows: RowsPart<ItemRow, "checklist"> = {
  statement: onCards({
    columns: sql`ch."publicId" AS "checklistPublicId", ch.name, ch.version AS "checklistVersion",
      ch."createdAt" AS "listCreatedAt", ch."updatedAt" AS "listUpdatedAt", i."publicId", i.title,
      i."completedAt", i."dueDate", i.version, i."createdAt", i."updatedAt",
      m."publicId" AS "memberPublicId"`,
    from: withItems,
    where: isOn(cardRef),
    first: sql`ch.position`,
    second: sql`coalesce(i.position, '-infinity')`,
  }),
  start: ["-infinity", "-infinity"],
  groupOf: ({ checklistPublicId }) => checklistPublicId,
  stored: (itemRows) =>
    listsOf(itemRows, (list, items) => ({
      publicId: list.checklistPublicId,
      name: list.name,
      ...dated({ createdAt: list.listCreatedAt, updatedAt: list.listUpdatedAt }),
      items: items.map((item) => ({
        publicId: item.publicId,
        title: item.title,
        completedAt: isoOrNull(item.completedAt),
        dueDate: isoOrNull(item.dueDate),
        memberPublicId: item.memberPublicId,
        ...dated(item),
      })),
    })),
  within: (checklists: { items: object[] }[]) => ({
    checklistItems: checklists.reduce((sum, { items }) => sum + items.length, 0),
  }),
  kind: "checklist",
  lines: (itemRows, { cardOf }) =>
    listsOf(itemRows, (list, items) => ({
      ...viewOf(list),
      items: items.map(showItem),
      cardPublicId: cardOf(list),
    })),
};

/** The checklists of a card, with their items. */
export const checklists = {
  from,
  fromBoard,
  isOn,
  summary: {
    total: sql`count(*)`,
    done: sql`count(i."completedAt")`,
    count: (total, completed) => ({ checklistItems: { total, completed } }),
  },
  detail: {
    read: (cardId, itemBytes) => jsonRows(itemsOf(cardId, itemBytes)),
    none: [],
    show: (items: ReadItem[]) => ({ checklists: shownLists(items) }),
    isCut: (items: ReadItem[]) =>
      shownLists(items).some((list) => list.items.length < list.itemCount),
  },
  public: {
    field: "checklists",
    column: jsonList(
      sql`json_build_object('name', ch.name, 'items', ${jsonList(
        sql`json_build_object('title', i.title, 'isComplete', i."completedAt" IS NOT NULL,
          'completed', i."completedAt" IS NOT NULL, 'dueDate', i."dueDate")`,
        sql`checklist_items i WHERE i."checklistId" = ch.id AND i."deletedAt" IS NULL`,
        sql`i.position`,
      )})`,
      sql`checklists ch WHERE ${isOn(sql`c.id`)}`,
      sql`ch.position`,
    ),
    bytes: sql`(SELECT sum(100 + octet_length(i.title)) FROM ${from} WHERE ${isOn(sql`c.id`)})`,
    show: (publicChecklists: { items: { dueDate: string | null }[] }[]) =>
      publicChecklists.map((list) => ({
        ...list,
        items: list.items.map((item) => ({ ...item, dueDate: isoOrNull(dateOf(item.dueDate)) })),
      })),
  },
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
      columns: ["position", "title", "dueDate"],
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
  exported: { rows },
} satisfies Part;
