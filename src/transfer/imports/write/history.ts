import { truncateEvent } from "../../../kernel/events/truncate.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { SourceEvent } from "./model.ts";
import type { ImportStep } from "./step.ts";
import type { Cards, WrittenCard } from "./written-card.ts";

/** More events go into several statements, each within its time limit. */
const maxEvents = 1_000;

/** Writes the history of new cards. It is shown on the cards, but not in the feed. */
export async function writeHistory({ tx, target }: ImportStep, cards: Cards): Promise<void> {
  const all = [...cards].flatMap(([{ history = [] }, card]) =>
    history.map((event) => ({ card, event })),
  );
  for (let from = 0; from < all.length; from += maxEvents) {
    const rows = all.slice(from, from + maxEvents).map(rowOf);
    // The log skips transaction 0: what happened before the import is no news.
    await tx.query(sql`
      INSERT INTO events ("publicId", "workspaceId", "boardPublicId", "cardPublicId", type,
        "isActivity", "actorType", "actorPublicId", "actorName", data, changes, "transactionId",
        "createdAt")
      SELECT e."publicId", ${target.id}::bigint, e."boardPublicId", e."cardPublicId", e.type, true,
        e."actorType"::"ActorType", e."actorPublicId", e."actorName", e.data, e.changes, 0,
        e."createdAt"
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS e("publicId" text,
        "boardPublicId" text, "cardPublicId" text, type text, "actorType" text,
        "actorPublicId" text, "actorName" text, data jsonb, changes jsonb,
        "createdAt" timestamptz)`);
  }
}

const rowOf = ({ card, event }: { card: WrittenCard; event: SourceEvent }) => ({
  ...event,
  boardPublicId: card.around.board.publicId,
  cardPublicId: card.around.card.publicId,
  ...truncateEvent({ data: event.data, changes: event.changes }),
});
