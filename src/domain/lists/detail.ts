import type { z } from "zod";
import type { ListWithCount } from "../../contract/resources/lists.ts";
import { indexOf } from "../../kernel/positions.ts";
import { firstRow, type Query } from "../../platform/db/query.ts";
import type { List } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { showList } from "../presenters/lists.ts";
import { cardsOverLimit } from "../list-limits.ts";

const statement = ({ id }: List) => sql`SELECT
  (SELECT count(*)::int FROM cards WHERE "listId" = ${id} AND "deletedAt" IS NULL
    AND "archivedAt" IS NULL) AS "cardCount",
  (SELECT ${cardsOverLimit} FROM lists l WHERE l.id = ${id}) AS "cardsOverLimit",
  ${indexOf("list", id)} AS before`;

/** A list with its index on the board and the number of its cards. */
export async function listDetail(
  query: Query,
  list: List,
  board: { publicId: string },
): Promise<z.infer<typeof ListWithCount>> {
  type Row = { cardCount: number; cardsOverLimit: number; before: number };
  const row = firstRow(await query<Row>(statement(list)));
  return {
    ...showList(list),
    boardPublicId: board.publicId,
    cardCount: row.cardCount,
    cardsOverLimit: row.cardsOverLimit,
    index: list.archivedAt === null ? row.before : null,
  };
}
