import type { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { summariesOf } from "../cards/summaries.ts";
import { CardSummary } from "../../contract/resources/cards.ts";
import {
  Filter,
  CardSort,
  FilterText,
  SortKeys,
  SortKeysText,
} from "../../contract/filter/schema.ts";
import { aboutSorts, usualSort, type SortKey, type SortName } from "../../contract/filter/sort.ts";
import { Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cardFilter, selectionFor, type CardSelection } from "../cards/filters.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import type { HandlerContext } from "../../kernel/invocation/types.ts";
import type { ReadDeps } from "../../kernel/request/deps.ts";
import type { DatabaseReader } from "../../platform/db/database.ts";
import { customFieldId } from "../../contract/filter/fields.ts";
import { badRequest } from "../../platform/errors.ts";
import type { CustomFields } from "../filters/custom-fields.ts";
import { isSortable } from "./sort-keys.ts";
import { readCardPage } from "./cards-page.ts";

const Input = Page.extend({
  ...cardFilter,
  sort: CardSort.default("position").meta({ description: aboutSorts }),
});

type Input = Pick<z.output<typeof Input>, "limit" | "cursor"> &
  CardSelection & { sort: SortName; sortBy?: SortKey[] | undefined };
type Call = HandlerContext<"board.cards"> & { db: DatabaseReader; deps: ReadDeps };

async function pageOfCards(ctx: Call, { sort, sortBy, limit, cursor, ...filters }: Input) {
  const { board, db, deps } = ctx;
  const keys = sortBy ?? usualSort(sort);
  const name = keys.map(({ field, order }) => `${field} ${order}`).join();
  const keyset = pagesByKeys(deps.seal, `cards of ${board.id} by ${name}`);
  const names = keys.flatMap(({ field }) => (customFieldId(field) === undefined ? [] : field));
  const selection = await selectionFor(db.query, ctx, deps.clock(), filters, { extraNames: names });
  checkSort(keys, selection.custom);
  const page = { limit, after: keyset.after(cursor) ?? null };
  const cards = await readCardPage(db.query, keys, [board.id], selection, page);
  const { rows, nextCursor } = keyset.page(cards, limit);
  const ids = rows.map(({ id }) => id);
  return { items: await summariesOf(db.query, ids), nextCursor };
}

/** Refuses an order by a custom field that the board lacks, or whose values have no order. */
function checkSort(keys: readonly SortKey[], custom: CustomFields | undefined): void {
  for (const [nth, { field }] of keys.entries()) {
    const customField = custom?.get(field);
    if (customFieldId(field) === undefined || (customField && isSortable(customField))) continue;
    const message = "The board has no text, url, number or date field with this id.";
    throw badRequest("invalid_value", message, ["sortBy", nth, "field"]);
  }
}

/** Lists the cards of a board, in one of several orders. */
export const listBoardCards = query(
  "board.cards",
  Input.extend({ filter: FilterText.optional(), sortBy: SortKeysText.optional() }),
)
  .meta(
    rest("Boards").get(
      "/boards/{boardPublicId}/cards",
      "List the cards of a board",
      "Returns the cards of a board that pass all filters, sorted by `sort` or `sortBy`. The " +
        "filters are those of `board.get`.",
    ),
  )
  .output(pageOf(CardSummary))
  .query(({ ctx, input }) => pageOfCards(ctx, input));

/** Lists the cards of a board like `board.cards`, for filters that are too long for a URL. */
export const queryBoardCards = query(
  "board.queryCards",
  Input.extend({ filter: Filter.optional(), sortBy: SortKeys.optional() }),
)
  .meta(
    rest("Boards").post(
      "/boards/{boardPublicId}/cards/query",
      "Query the cards of a board",
      "Returns the cards of a board like `board.cards`, with the filter in the body, where it may " +
        "be longer than in a URL. Changes nothing.",
    ),
  )
  .output(pageOf(CardSummary))
  .query(({ ctx, input }) => pageOfCards(ctx, input));
