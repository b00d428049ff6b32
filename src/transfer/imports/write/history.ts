import { truncateEvent } from "../../../kernel/events/truncate.ts";
import { insertRows } from "../../../platform/db/insert-rows.ts";
import type { SourceEvent } from "./model.ts";
import type { ImportStep } from "./step.ts";
import type { Cards, WrittenCard } from "./written-card.ts";

/** Writes the history of new cards. It is shown on the cards, but not in the feed. */
export async function writeHistory({ tx, target }: ImportStep, cards: Cards): Promise<void> {
  const rowOf = ({ around: { board, card } }: WrittenCard, event: SourceEvent) => ({
    ...event,
    workspaceId: target.id,
    boardPublicId: board.publicId,
    cardPublicId: card.publicId,
    isActivity: true,
    // The log skips transaction 0: what happened before the import is no news.
    transactionId: 0,
    ...truncateEvent({ data: event.data, changes: event.changes }),
  });
  const rows = [...cards].flatMap(([{ history = [] }, card]) =>
    history.map((event) => rowOf(card, event)),
  );
  await insertRows(tx.query, "events", rows);
}
