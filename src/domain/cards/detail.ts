import type { z } from "zod";
import type { Caller } from "../../kernel/access/callers.ts";
import { seenByCaller, seenByUser } from "../../kernel/access/visibility-of-caller.ts";
import type { CardCounts, ShownDetail } from "../parts/part.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Card as CardRow } from "../../platform/db/rows.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { withoutThings } from "./assemble.ts";
import { claimOf, claimOfTarget } from "./claim-sql.ts";
import {
  columnsOf,
  detailParts,
  flaggedPartsOn,
  maxItemBytes,
  partsOf,
  smallItemBytes,
  unflaggedParts,
} from "./detail-sql.ts";
import { showCard } from "../presenters/cards.ts";
import type { Card } from "../../contract/resources/cards.ts";
import type { ExtraRow } from "../../kernel/procedures/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { Context } from "../../kernel/request/context.ts";
import { readLarge } from "../../kernel/request/expensive-work.ts";

type CardDetail = z.infer<typeof Card>;

/** The parents of a card as its detail names them, and the caller. */
export type CardContext = {
  caller: Pick<Caller, "userId" | "key" | "hasSecondFactor">;
  workspace: { publicId: string; cardPrefix: string };
  board: { publicId: string };
  list: { publicId: string };
  deps: Pick<Deps, "baseUrl">;
};

/** A row with what is on a card, as JSON, in the columns of its parts. */
type Row = Readonly<Record<string, unknown>> &
  CardCounts & {
    claim: CardDetail["claim"];
    isWatching: boolean;
    before: number;
  };

/**
 * The parts of a card that are read with it: of many items, the first. The others are read if the row
 * says that they are there: in this statement they would double its cost for every card.
 */
export const partsOfCard: ExtraRow<Row> = {
  select: ({ credential }) =>
    partsOf(
      unflaggedParts,
      {
        card: sql`card`,
        userId: sql`caller."caller.userId"`,
        sees: seenByCaller(credential),
        claim: claimOfTarget,
      },
      { itemBytes: smallItemBytes, prefix: "extra." },
    ),
};

/** SQL: a card `c`, and the caller. */
const idsOf = ({ caller }: Pick<CardContext, "caller">) => ({
  card: sql`c`,
  userId: sql`${caller.userId}`,
  claim: claimOf,
  sees: seenByUser(caller),
});

/** A card with its labels, members, checklists and attachments, in one query. */
export async function cardDetail(
  query: Query,
  card: CardRow,
  context: CardContext,
): Promise<CardDetail> {
  // All are looked for: the row changes with its events, at the end of the transaction.
  const select = partsOf(detailParts, idsOf(context), { itemBytes: maxItemBytes });
  return detailOf(await readRow<Row>(query, card, select), card, context);
}

/** What a statement selects of a card `c`. */
async function readRow<Selected extends object>(
  query: Query,
  { id }: CardRow,
  select: Sql,
): Promise<Selected> {
  const [row] = await query<Selected>(sql`${select} FROM cards c WHERE c.id = ${id}`);
  if (row === undefined) throw new Error("The query returned no row.");
  return row;
}

/** The things on a card of each part that its row does not count. */
const thingsOn = (row: Row, { deps }: Pick<CardContext, "deps">): ReadonlyMap<string, object[]> =>
  new Map(
    detailParts.map(({ column, things }) => [
      column,
      things(row[column], `${deps.baseUrl}/api/v1`),
    ]),
  );

/** A record without a static type: the declaration decides what it holds. */
const recordOf = (entries: unknown[][]) => Object.fromEntries(entries);

/** The columns of a card that has nothing of any part. */
const nothing = recordOf(detailParts.map(({ column }) => [column, []]));

/** What all parts show. The output schema leaves out what a card alone does not show. */
const shownIn = (row: Row, things: ReadonlyMap<string, object[]>): ShownDetail => ({
  ...withoutThings(row),
  ...recordOf(
    detailParts.map(({ column, together }) => [column, together(things.get(column) ?? [])]),
  ),
});

/** A card as its detail shows it, from its parts. */
const detailOf = (
  row: Row,
  card: CardRow,
  context: CardContext,
  things = thingsOn(row, context),
): CardDetail => ({
  ...showCard(card, context.workspace.cardPrefix),
  index: card.archivedAt === null ? row.before : null,
  listPublicId: context.list.publicId,
  boardPublicId: context.board.publicId,
  workspacePublicId: context.workspace.publicId,
  claim: row.claim,
  ...shownIn(row, things),
  isWatching: row.isWatching,
});

/** The detail of a card whose pending events are all that changes it. */
export function changedCardDetail(
  tx: Pick<UnitOfWork, "query" | "pendingEvents">,
  card: CardRow,
  context: CardContext,
): Promise<CardDetail> {
  // Each event raises the version when it is written.
  const version = card.version + tx.pendingEvents.length;
  return cardDetail(tx.query, { ...card, version }, context);
}

/** The detail of a new card without parts: nothing is read for it. */
export const plainCardDetail = (card: CardRow & { index: number }, context: CardContext) => {
  const row = { ...card, ...nothing, isWatching: false, claim: null, before: card.index };
  return detailOf(row, card, context);
};

/** The detail of a new card. Its event, written at commit, subscribes its assignees. */
export async function newCardDetail(
  query: Query,
  card: CardRow,
  context: CardContext & { membership: { publicId: string } },
): Promise<CardDetail> {
  const detail = await cardDetail(query, card, context);
  const { publicId } = context.membership;
  return { ...detail, isWatching: detail.members.some((member) => member.publicId === publicId) };
}

type DetailContext = CardContext &
  Pick<Context, "client" | "checkLimit"> & { deps: Pick<Deps, "reads"> };

/** SQL: what the row of a card says is on it, after what was read with the card itself, if it was. */
function selectRest(card: CardRow, context: CardContext, isFirstRead: boolean): Sql | undefined {
  const flagged = flaggedPartsOn(card);
  const [ids, limits] = [idsOf(context), { itemBytes: smallItemBytes }];
  if (!isFirstRead) return partsOf([...unflaggedParts, ...flagged], ids, limits);
  return flagged.length === 0 ? undefined : sql`SELECT ${columnsOf(flagged, ids, limits)}`;
}

/** A card as a read answers it, from its first parts: more are read in the caller's turn. */
export const readDetail = async (
  query: Query,
  card: CardRow,
  context: DetailContext,
  firstRow?: Row,
): Promise<CardDetail> => {
  const rest = selectRest(card, context, firstRow !== undefined);
  const more = rest && (await readRow(query, card, rest));
  const row: Row = { ...nothing, ...firstRow, ...more };
  const things = thingsOn(row, context);
  const isCut = detailParts.some((part) => part.isCut(things.get(part.column) ?? []));
  if (!isCut) return detailOf(row, card, context, things);
  return readLarge(context, () => cardDetail(query, card, context));
};
