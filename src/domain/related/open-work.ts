import { z } from "zod";
import type { PendingEvent } from "../../kernel/events/pending-event.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql } from "../../platform/db/sql.ts";
import { Failure, type Issue } from "../../platform/errors.ts";

/** A card as its events show it, after the writes of a transaction. */
type ShownCard = {
  publicId: string;
  cardNumber: string;
  isComplete: boolean;
  openBlockers: number;
  children: { total: number; completed: number };
};

const Completed = z.object({
  card: z.object({ publicId: z.string() }),
  board: z.object({ publicId: z.string() }),
});

/**
 * Throws 409 when cards were completed that have open blockers or children, on boards that refuse
 * it. Every event is checked before it is written; cards without open work cost no statement.
 */
export async function checkOpenWork(
  { query, mayExceedListLimits }: Pick<UnitOfWork, "query" | "mayExceedListLimits">,
  events: readonly PendingEvent[],
  cards: readonly ShownCard[],
): Promise<void> {
  const withOpenWork = new Map(
    cards.flatMap((card) => (card.isComplete && openWork(card) > 0 ? [[card.publicId, card]] : [])),
  );
  if (withOpenWork.size === 0 || mayExceedListLimits) return;
  const completed = events.flatMap(({ type, data }) => {
    const named = type === "card.completed" ? Completed.safeParse(data).data : undefined;
    const card = withOpenWork.get(named?.card.publicId ?? "");
    return card === undefined || named === undefined ? [] : [{ card, board: named.board.publicId }];
  });
  if (completed.length === 0) return;
  const boards = [...new Set(completed.map(({ board }) => board))];
  const rows = await query<{ publicId: string }>(sql`SELECT "publicId" FROM boards
    WHERE "publicId" = ANY(${boards}::text[]) AND "openWorkMode" = 'block'`);
  const refusing = new Set(rows.map(({ publicId }) => publicId));
  const issues = completed.flatMap(({ card, board }) =>
    refusing.has(board) ? [issueOf(card)] : [],
  );
  if (issues.length > 0) throw new Failure("CONFLICT", issues);
}

const openChildren = ({ children: { total, completed } }: ShownCard) => total - completed;
const openWork = (card: ShownCard) => card.openBlockers + openChildren(card);

const issueOf = (card: ShownCard): Issue => ({
  code: "open_work",
  message:
    `${card.cardNumber} has ${card.openBlockers} open blockers and ${openChildren(card)} open ` +
    "children. Complete them first, or set `override`, which requires list:edit.",
});
