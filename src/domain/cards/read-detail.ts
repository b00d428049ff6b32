import type { z } from "zod";
import type { Context } from "../../kernel/request/context.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { readLarge } from "../../kernel/request/expensive-work.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Card as CardRow } from "../../platform/db/rows.ts";
import type { Card } from "../../contract/resources/cards.ts";
import {
  cardDetail,
  detailOf,
  isCut,
  smallRelations,
  type CardContext,
  type CardRelations,
} from "./detail.ts";

type Reading = CardContext &
  Pick<Context, "client" | "countMore"> & { deps: Pick<Deps, "anonymousReads" | "largeReads"> };

/** A card as a read answers it, from its first relations: more are read in the caller's turn. */
export const readDetail = async (
  query: Query,
  card: CardRow,
  context: Reading,
  first?: CardRelations,
): Promise<z.infer<typeof Card>> => {
  const row = first ?? (await smallRelations(query, card, context));
  if (!isCut(row)) return detailOf(row, card, context);
  return readLarge(context, () => cardDetail(query, card, context));
};
