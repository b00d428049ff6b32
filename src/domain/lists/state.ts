import type { EventData } from "../../contract/event-data.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { List } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { summariesOf } from "../cards/summaries.ts";
import { readIndex } from "../../kernel/positions.ts";

/** More cards do not fit into an event. */
const maxCards = 200;

const cardsOf = (listId: bigint) => sql`SELECT id FROM cards
  WHERE "listId" = ${listId} AND "deletedAt" IS NULL AND "archivedAt" IS NULL
  ORDER BY position LIMIT ${sql.number(maxCards)}`;

/** The state of a restored or unarchived list, for its event: its index and its cards. */
export async function listState(
  tx: UnitOfWork,
  list: List,
): Promise<Pick<EventData<"list.restored">, "to" | "cards">> {
  const ids = (await tx.query<{ id: bigint }>(cardsOf(list.id))).map(({ id }) => id);
  const index = await readIndex(tx.query, "list", list.id);
  return { to: { index }, cards: await summariesOf(tx.query, ids) };
}
