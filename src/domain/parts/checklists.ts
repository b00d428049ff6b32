import { iso, isoOrNull } from "../../contract/vocabulary/fields.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { viewChecklist, viewItem, type ItemView } from "../views/checklists.ts";
import { sameUser } from "./members.ts";
import type { Part, RowsPart, ShownDetail } from "./part.ts";
import { cardRef, jsonList, jsonRows, onCards, type OnCard } from "./rows-sql.ts";

const bytesPerItem = 200;

// Each checklist is looked up by index, also before PostgreSQL has statistics.
const from = sql`checklists ch CROSS JOIN LATERAL (SELECT i."completedAt", i.title
  FROM checklist_items i WHERE i."checklistId" = ch.id AND i."deletedAt" IS NULL OFFSET 0) i`;
const fromBoard = sql`checklists ch
  JOIN checklist_items i ON i."checklistId" = ch.id AND i."deletedAt" IS NULL`;
const isOn = (cardId: Sql) => sql`ch."cardId" = ${cardId} AND ch."deletedAt" IS NULL`;
const ofCard = sql`${from} WHERE ${isOn(sql`c.id`)}`;
const withItems = sql`checklists ch
  LEFT JOIN checklist_items i ON i."checklistId" = ch.id AND i."deletedAt" IS NULL
  LEFT JOIN members m ON m.id = i."memberId"`;

/** SQL: checklists with their items; one whose items are all left out has a row without an item. */
const itemsOf = (cardId: Sql, most: number) => sql`SELECT "checklistPublicId", name,
    "checklistVersion", "itemCount",
    CASE WHEN bytes <= ${sql.number(most)} THEN "publicId" END AS "publicId",
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
  WHERE nth = 1 OR bytes <= ${sql.number(most)}`;

type OfList = { checklistPublicId: string; name: string; checklistVersion: number };
/** An item as JSON has it, or none. */
type ReadItem = OfList & { itemCount: number } & (
    | (Omit<ItemView, "completedAt" | "dueDate"> & Record<"completedAt" | "dueDate", string | null>)
    | { publicId: null }
  );

const dateOf = (moment: string | null) => (moment === null ? null : new Date(moment));

/** Rows of items by their checklists. */
function byList<Row extends OfList>(rows: readonly Row[]): Row[][] {
  const lists = new Map<string, Row[]>();
  for (const row of rows) {
    const list = lists.get(row.checklistPublicId);
    if (list === undefined) lists.set(row.checklistPublicId, [row]);
    else list.push(row);
  }
  return [...lists.values()];
}

const viewOf = ({ checklistPublicId: publicId, name, checklistVersion: version }: OfList) =>
  viewChecklist({ publicId, name, version });

const shownLists = (rows: ReadItem[]): ShownDetail["checklists"] =>
  byList(rows).flatMap((list) =>
    list.slice(0, 1).map((head) => ({
      ...viewOf(head),
      itemCount: head.itemCount,
      items: list.flatMap((row) => {
        if (row.publicId === null) return [];
        const [completedAt, dueDate] = [dateOf(row.completedAt), dateOf(row.dueDate)];
        return [viewItem({ ...row, completedAt, dueDate })];
      }),
    })),
  );

type Dated = { createdAt: Date; updatedAt: Date };
type ItemRow = OnCard &
  OfList & { listCreatedAt: Date; listUpdatedAt: Date } & (
    | (ItemView & Dated & { assigneePublicId: string | null })
    | { publicId: null }
  );

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
      m."publicId" AS "memberPublicId",
      CASE WHEN m.status <> 'removed' THEN m."publicId" END AS "assigneePublicId"`,
    from: withItems,
    where: isOn(cardRef),
    first: sql`ch.position`,
    second: sql`coalesce(i.position, '-infinity')`,
  }),
  start: ["-infinity", "-infinity"],
  groupOf: ({ checklistPublicId }) => checklistPublicId,
  stored: (all) =>
    byList(all).flatMap((list) =>
      list.slice(0, 1).map((head) => ({
        publicId: head.checklistPublicId,
        name: head.name,
        ...dated({ createdAt: head.listCreatedAt, updatedAt: head.listUpdatedAt }),
        items: list.flatMap((row) =>
          row.publicId === null
            ? []
            : {
                publicId: row.publicId,
                title: row.title,
                completedAt: isoOrNull(row.completedAt),
                dueDate: isoOrNull(row.dueDate),
                memberPublicId: row.assigneePublicId,
                ...dated(row),
              },
        ),
      })),
    ),
  within: (all: { items: object[] }[]) => ({
    checklistItems: all.reduce((sum, { items }) => sum + items.length, 0),
  }),
  kind: "checklist",
  lines: (all, { cardOf }) =>
    byList(all).flatMap((list) =>
      list.slice(0, 1).map((head) => ({
        ...viewOf(head),
        items: list.flatMap((row) => (row.publicId === null ? [] : viewItem(row))),
        cardPublicId: cardOf(head),
      })),
    ),
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
    columns: (cardId, itemBytes) => ({ items: jsonRows(itemsOf(cardId, itemBytes)) }),
    none: { items: [] },
    show: ({ items }: { items: ReadItem[] }) => ({ checklists: shownLists(items) }),
    isCut: ({ items }: { items: ReadItem[] }) =>
      byList(items).some((list) => {
        const read = list.filter(({ publicId }) => publicId !== null);
        return list.some(({ itemCount }) => itemCount > read.length);
      }),
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
    bytes: sql`(SELECT sum(100 + octet_length(i.title)) FROM ${ofCard})`,
    show: (all: { items: { dueDate: string | null }[] }[]) =>
      all.map((list) => ({
        ...list,
        items: list.items.map((item) => ({ ...item, dueDate: isoOrNull(dateOf(item.dueDate)) })),
      })),
  },
  csv: {
    checklistItems: { select: sql`SELECT count(*)::int FROM ${ofCard}` },
    checklistItemsCompleted: { select: sql`SELECT count(i."completedAt")::int FROM ${ofCard}` },
  },
  copied: [
    {
      table: "checklists",
      alias: "ch",
      from: sql`checklists ch`,
      isOn: isOn(sql`c.id`),
      columns: ["position", "name"],
      texts: ["name"],
      limit: "checklists",
    },
    {
      table: "checklist_items",
      alias: "i",
      from: fromBoard,
      isOn: isOn(sql`c.id`),
      columns: ["position", "title", "dueDate"],
      texts: ["title"],
      memberColumns: ["memberId"],
      limit: "checklist_items",
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
    isOn: (cards) => sql`"deletedAt" IS NULL AND "checklistId" IN (SELECT ch.id FROM checklists ch
      WHERE ch."cardId" IN (${cards}) AND ch."deletedAt" IS NULL)`,
    unassign: (where) => sql`UPDATE checklist_items SET "memberId" = NULL WHERE ${where}`,
  },
  exported: { rows },
} satisfies Part;
