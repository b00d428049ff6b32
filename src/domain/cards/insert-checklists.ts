import { generateNKeysBetween } from "fractional-indexing";
import { gapFor, type Gap } from "../../kernel/gaps.ts";
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
type ItemOf = NewItem & { checklist: string; position: string };
type ChecklistOf = { id: string; name: string; position: string };

const columns = sql`"createdById", "createdAt", "updatedAt"`;
const valuesOf = ({ createdById, now }: Owner) =>
  sql`${createdById}::bigint, ${now}::timestamptz, ${now}::timestamptz`;

const insertRows = (cardId: bigint, rows: ChecklistOf[], owner: Owner) =>
  sql`INSERT INTO checklists ("publicId", "workspaceId", "cardId", name, position, ${columns})
  SELECT new.id, ${owner.workspaceId}::bigint, ${cardId}::bigint, new.name, new.position,
    ${valuesOf(owner)}
  FROM unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ name }) => name)}::text[],
    ${rows.map(({ position }) => position)}::text[]) AS new(id, name, position)
  RETURNING *`;

// One array per column: Prisma's createMany takes 30 s for 25,000 rows.
const insertItems = (items: ItemOf[], owner: Owner) =>
  sql`INSERT INTO checklist_items ("publicId", "checklistId", title, position, "workspaceId",
    ${columns})
  SELECT new.id, ch.id, new.title, new.position, ${owner.workspaceId}::bigint, ${valuesOf(owner)}
  FROM unnest(${items.map((item) => item.publicId)}::text[],
    ${items.map(({ checklist }) => checklist)}::text[], ${items.map(({ title }) => title)}::text[],
    ${items.map(({ position }) => position)}::text[]) AS new(id, checklist, title, position)
  JOIN checklists ch ON ch."publicId" = new.checklist`;

/**
 * Inserts checklists with their items at the end of a card, whose row is locked or new.
 *
 * `gap` is the gap at the end, if it was read.
 */
export async function insertChecklists(
  tx: UnitOfWork,
  card: Pick<Card, "id" | "workspaceId">,
  checklists: NewChecklist[],
  createdById: bigint | null,
  gap?: Gap,
): Promise<{ row: Checklist; items: NewItem[] }[]> {
  const owner = { workspaceId: card.workspaceId, createdById, now: tx.now };
  const mostItems = Math.max(0, ...checklists.map(({ items = [] }) => items.length));
  checkCount(tx.limits, "checklists", checklists.length);
  checkCount(tx.limits, "checklist_items", mostItems);
  const end = gap ?? (await gapFor(tx.query, "checklist", card.id, {}));
  const positions = generateNKeysBetween(end.previous, null, checklists.length);
  const itemPositions = generateNKeysBetween(null, null, mostItems);
  const named = checklists.map(({ publicId: id = publicId(), name, items = [] }, nth) => ({
    row: { id, name, position: positions[nth] ?? "" },
    items: items.map((title, index) => ({
      publicId: publicId(),
      checklist: id,
      title,
      position: itemPositions[index] ?? "",
    })),
  }));
  const rows = named.map(({ row }) => row);
  const inserting = tx.query<Checklist>(insertRows(card.id, rows, owner));
  if (mostItems > 0)
    tx.send(
      insertItems(
        named.flatMap(({ items }) => items),
        owner,
      ),
    );
  const byId = new Map((await inserting).map((row) => [row.publicId, row]));
  return named.flatMap(({ row: { id }, items }) => {
    const row = byId.get(id);
    return row === undefined ? [] : [{ row, items }];
  });
}
