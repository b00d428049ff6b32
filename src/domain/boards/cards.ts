import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { summariesOf } from "../cards/summaries.ts";
import { CardSummary } from "../../contract/resources/cards.ts";
import { Page, pageOf } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cardFilter, isWanted, wantedValues } from "../cards/filters.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";

const Filter = Page.extend({
  ...cardFilter,
  sort: z.enum(["position", "dueDate", "createdAt", "updatedAt"]).default("position").meta({
    description:
      "`position`: list by list, as on the board; `dueDate`: soonest first, those without one last; `createdAt`, `updatedAt`: latest first.",
  }),
});

const soonest = `coalesce(c."dueDate", 'infinity')`;
const sorts = {
  position: { by: ["l.position", "c.position"], types: ["text", "text"], down: false },
  dueDate: { by: [soonest], types: ["timestamptz"], down: false },
  createdAt: { by: [`c."createdAt"`], types: ["timestamptz"], down: true },
  updatedAt: { by: [`c."updatedAt"`], types: ["timestamptz"], down: true },
} as const;

/** Which cards of a board come next in an order, through the filters: `wantedValues`, then how many, then what the last one before was ordered by. */
export function cardsInOrder(sort: keyof typeof sorts): string {
  const { down } = sorts[sort];
  const [by, types] = [
    [...sorts[sort].by, "c.id"],
    [...sorts[sort].types, "bigint"],
  ];
  const last = types.map((type, place) => `($9::text[])[${place + 1}]::${type}`);
  return `SELECT c.id, ARRAY[${by.map((one) => `${one}::text`).join(", ")}] AS keys
    FROM cards c JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
    WHERE ${isWanted} AND ($9::text[] IS NULL OR (${by.join(", ")}) ${down ? "<" : ">"} (${last.join(", ")}))
    ORDER BY ${by.map((one) => `${one} ${down ? "DESC" : "ASC"}`).join(", ")} LIMIT $8`;
}

/** The cards of a board, page by page, in one of four orders. */
export const listBoardCards = query("board.cards", Filter)
  .meta(
    rest("Boards").get(
      "/boards/{boardPublicId}/cards",
      "List the cards of a board",
      "The cards of a board, page by page, through the filters of `board.get`, in one of four orders.",
    ),
  )
  .output(pageOf(CardSummary))
  .query(async ({ ctx: { board, db, deps }, input }) => {
    const { sort, limit, cursor, ...wanted } = input;
    const keyset = pagesByKeys(deps.seal, `cards of ${board.id} by ${sort}`);
    const found = await db.query<{ id: bigint; keys: string[] }>(cardsInOrder(sort), [
      ...wantedValues(board.id, { ...wanted, now: deps.clock() }),
      limit + 1,
      keyset.after(cursor) ?? null,
    ]);
    const { rows, nextCursor } = keyset.page(found, limit);
    const items = await summariesOf(
      db.query,
      rows.map(({ id }) => id),
    );
    return { items, nextCursor };
  });
