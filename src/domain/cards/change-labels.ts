import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql } from "../../platform/db/sql.ts";
import { notFound } from "../../platform/errors.ts";
import { writePairs } from "./card-pairs.ts";
import { differences, namedIn, type SetChange } from "./set-change.ts";
import type { EventData } from "../../contract/event-data.ts";

type Row = {
  id: bigint;
  publicId: string;
  name: string;
  colourCode: string | null;
  isOnCard: boolean;
};

/** A card with its list and its board, as its events show them. */
export type CardParents = Pick<EventData<"card.label_added">, "card" | "list"> & {
  board: EventData<"card.label_added">["board"] & { id: bigint };
};

const labelsOf = (cardId: bigint, publicIds: string[]) => sql`
  SELECT la.id, la."publicId", la.name, la."colourCode", cl."cardId" IS NOT NULL AS "isOnCard"
  FROM cards c JOIN labels la ON la."boardId" = c."boardId" AND la."deletedAt" IS NULL
  LEFT JOIN card_labels cl ON cl."labelId" = la.id AND cl."cardId" = c.id
  WHERE c.id = ${cardId} AND (cl."cardId" IS NOT NULL OR la."publicId" = ANY(${publicIds}::text[]))
  ORDER BY la.name, la."publicId"`;

/** Changes the labels of a locked card; returns the changes. 404 for a label of another board. */
export async function changeCardLabels(
  tx: UnitOfWork<"card.label_added" | "card.label_removed">,
  card: { id: bigint; workspaceId: bigint },
  { card: shownCard, list, board }: CardParents,
  change: SetChange,
): Promise<{ added: string[]; removed: string[] }> {
  const namedIds = namedIn(change);
  const labels = await tx.query<Row>(labelsOf(card.id, namedIds));
  const parents = { card: shownCard, list, board };
  const labelsById = new Map(labels.map((label) => [label.publicId, label]));
  if (namedIds.some((id) => !labelsById.has(id))) throw notFound("label");
  const current = new Set(labels.flatMap((label) => (label.isOnCard ? [label.publicId] : [])));
  const { added, removed } = differences(change, current);
  const rowsOf = (ids: string[]) => labels.filter(({ publicId }) => ids.includes(publicId));
  const [addedLabels, removedLabels] = [rowsOf(added), rowsOf(removed)];
  writePairs(tx, "label", card, { added: addedLabels, removed: removedLabels });
  for (const label of removedLabels) tx.emit("card.label_removed", { ...parents, label });
  for (const label of addedLabels) tx.emit("card.label_added", { ...parents, label });
  return { added, removed };
}
