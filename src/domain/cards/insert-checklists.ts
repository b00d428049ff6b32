import { lastPosition } from "../../kernel/positions.ts";
import { checkCount } from "../../kernel/limits.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { publicId } from "../../platform/db/public-id.ts";
import type { Card, Checklist } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";

/** A checklist to insert, with the titles of its items. */
export type NewChecklist = { publicId?: string; name: string; items?: string[] | undefined };

/** A new checklist item, not completed. */
type NewItem = { publicId: string; title: string };

type Owner = { workspaceId: bigint; createdById: bigint | null; now: Date };
type ItemOf = NewItem & { checklist: string; position: number };
type ChecklistOf = { id: string; name: string };

const columns = sql`"createdById", "createdAt", "updatedAt"`;
const valuesOf = ({ createdById, now }: Owner) =>
  sql`${createdById}::bigint, ${now}::timestamptz, ${now}::timestamptz`;

const insertRows = (cardId: bigint, rows: ChecklistOf[], owner: Owner) =>
  sql`INSERT INTO checklists ("publicId", "workspaceId", "cardId", name, position, ${columns})
  SELECT new.id, ${owner.workspaceId}::bigint, ${cardId}::bigint, new.name,
    ${lastPosition("checklist", cardId)} + new.nth, ${valuesOf(owner)}
  FROM unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ name }) => name)}::text[])
    WITH ORDINALITY AS new(id, name, nth)
  RETURNING *`;

// One array per column: Prisma's createMany takes 30 s for 25,000 rows.
const insertItems = (items: ItemOf[], owner: Owner) =>
  sql`INSERT INTO checklist_items ("publicId", "checklistId", title, position, "workspaceId",
    ${columns})
  SELECT new.id, ch.id, new.title, new.position, ${owner.workspaceId}::bigint, ${valuesOf(owner)}
  FROM unnest(${items.map((item) => item.publicId)}::text[],
    ${items.map(({ checklist }) => checklist)}::text[], ${items.map(({ title }) => title)}::text[],
    ${items.map(({ position }) => position)}::int[]) AS new(id, checklist, title, position)
  JOIN checklists ch ON ch."publicId" = new.checklist`;

/** Inserts checklists with their items at the end of a card, whose row is locked or new. */
export async function insertChecklists(
  tx: UnitOfWork,
  card: Pick<Card, "id" | "workspaceId">,
  checklists: NewChecklist[],
  createdById: bigint | null,
): Promise<{ row: Checklist; items: NewItem[] }[]> {
  const owner = { workspaceId: card.workspaceId, createdById, now: tx.now };
  const maxItems = Math.max(0, ...checklists.map(({ items = [] }) => items.length));
  checkCount(tx.limits, "checklists", checklists.length);
  checkCount(tx.limits, "checklist_items", maxItems);
  const newChecklists = checklists.map(({ publicId: id = publicId(), name, items = [] }) => ({
    row: { id, name },
    items: items.map((title, nth) => ({
      publicId: publicId(),
      checklist: id,
      title,
      position: nth + 1,
    })),
  }));
  const rows = newChecklists.map(({ row }) => row);
  const items = newChecklists.flatMap((checklist) => checklist.items);
  const [inserted] = await Promise.all([
    tx.query<Checklist>(insertRows(card.id, rows, owner)),
    items.length === 0 ? [] : tx.query(insertItems(items, owner)),
  ]);
  const byId = new Map(inserted.map((row) => [row.publicId, row]));
  return newChecklists.flatMap(({ row: { id }, items: own }) => {
    const row = byId.get(id);
    return row === undefined ? [] : [{ row, items: own }];
  });
}
