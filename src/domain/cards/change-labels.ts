import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { notFound } from "../../platform/errors.ts";
import type { Card } from "../../platform/db/rows.ts";
import { cardWithId, noteState, readEventFields } from "./event-fields.ts";
import { sendPairs } from "./card-pairs.ts";
import { differences, namedIn, rowsAfter, type SetChange } from "./set-change.ts";
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

const labelsOf = (isCard: Sql, publicIds: string[]) => sql`
  SELECT la.id, la."publicId", la.name, la."colourCode", cl."cardId" IS NOT NULL AS "isOnCard"
  FROM cards c JOIN labels la ON la."boardId" = c."boardId" AND la."deletedAt" IS NULL
  LEFT JOIN card_labels cl ON cl."labelId" = la.id AND cl."cardId" = c.id
  WHERE ${isCard} AND (cl."cardId" IS NOT NULL OR la."publicId" = ANY(${publicIds}::text[]))
  ORDER BY la.name, la."publicId"`;

/** The labels of a locked card and those that a change names, in the order of a card. */
type CardLabels = Row[];

/** Reads the labels of the card `c` that is locked, and those that a change names. */
const readCardLabels = (query: Query, isCard: Sql, change: SetChange): Promise<CardLabels> =>
  query<Row>(labelsOf(isCard, namedIn(change)));

/** Reads, behind the lock of a card, what its state shows and the labels of a change. */
export function readLabelState(query: Query, cardPublicId: string, change: SetChange) {
  const isCard = cardWithId(cardPublicId);
  const reading = [readCardLabels(query, isCard, change), readEventFields(query, isCard)] as const;
  return Promise.all(reading);
}

type LabelContext = CardParents & {
  card: Card;
  workspace: { cardPrefix: string };
  tx: UnitOfWork<"card.label_added" | "card.label_removed">;
};

/** Changes the labels of a locked card with its state, which it notes; returns what it added. */
export async function changeLabelState(
  { card, list, board, workspace, tx }: LabelContext,
  change: SetChange,
  [found, eventFields]: Awaited<ReturnType<typeof readLabelState>>,
): Promise<string[]> {
  const changed = await changeCardLabels(tx, card, { card, list, board }, change, found);
  const labels = rowsAfter(found, changed).map(({ publicId, name, colourCode }) => ({
    publicId,
    name,
    colourCode,
  }));
  noteState(tx, card, { workspace }, eventFields, { labels });
  return changed.added;
}

/** Changes the labels of a locked card; returns the changes. 404 for a label of another board. */
export async function changeCardLabels(
  tx: UnitOfWork<"card.label_added" | "card.label_removed">,
  card: { id: bigint; workspaceId: bigint },
  at: CardParents,
  change: SetChange,
  found?: CardLabels,
): Promise<{ added: string[]; removed: string[] }> {
  const named = namedIn(change);
  const labels = found ?? (await readCardLabels(tx.query, sql`c.id = ${card.id}`, change));
  const known = new Map(labels.map((label) => [label.publicId, label]));
  if (named.some((id) => !known.has(id))) throw notFound("label");
  const current = new Set(labels.flatMap((one) => (one.isOnCard ? [one.publicId] : [])));
  const { added, removed } = differences(change, current);
  const rowsOf = (ids: string[]) => labels.filter(({ publicId }) => ids.includes(publicId));
  const [on, off] = [rowsOf(added), rowsOf(removed)];
  sendPairs(tx, "label", card, { added: on, removed: off });
  for (const label of off) tx.emit("card.label_removed", { ...at, label });
  for (const label of on) tx.emit("card.label_added", { ...at, label });
  return { added, removed };
}
