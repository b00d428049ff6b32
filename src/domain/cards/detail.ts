import type { z } from "zod";
import type { ShownDetail } from "../parts/part.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Card as CardRow } from "../../platform/db/rows.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { claimOf, claimOfTarget } from "./claim-sql.ts";
import { detailParts, maxItemBytes, relationsOf, smallItemBytes } from "./detail-sql.ts";
import { showCard } from "../shown/cards.ts";
import type { Card } from "../../contract/resources/cards.ts";
import type { ExtraRow } from "../../kernel/procedures/query.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Context } from "../../kernel/request/context.ts";
import { readLarge } from "../../kernel/request/expensive-work.ts";

type CardDetail = z.infer<typeof Card>;

/** The parents of a card as its detail names them, and the caller. */
export type CardContext = {
  caller: { userId: bigint };
  workspace: { publicId: string; cardPrefix: string };
  board: { publicId: string };
  list: { publicId: string };
  deps: Pick<Deps, "baseUrl">;
};

/** A row with what is on a card, as JSON, in the columns of its parts. */
type Row = Readonly<Record<string, unknown>> & {
  claim: CardDetail["claim"];
  isWatching: boolean;
  before: number;
};

/** The relations of a card, which are read with it: of many items, the first. */
export const cardRelations: ExtraRow<Row> = {
  select: () =>
    relationsOf(
      {
        id: sql`card.id`,
        userId: sql`caller."caller.userId"`,
        claim: claimOfTarget,
      },
      smallItemBytes,
      "extra.",
    ),
};

/** A card with its labels, members, checklists and attachments, in one query. */
export async function cardDetail(
  query: Query,
  card: CardRow,
  context: CardContext,
): Promise<CardDetail> {
  return detailOf(await readRelations(query, card, context, maxItemBytes), card, context);
}

/** The relations of a card: of many items, the first. */
async function readRelations(
  query: Query,
  { id }: CardRow,
  { caller }: CardContext,
  itemBytes: number,
): Promise<Row> {
  const ids = {
    id: sql`${id}`,
    userId: sql`${caller.userId}`,
    claim: sql`(SELECT ${claimOf} FROM cards c WHERE c.id = ${id})`,
  };
  const [row] = await query<Row>(relationsOf(ids, itemBytes));
  if (row === undefined) throw new Error("The query returned no row.");
  return row;
}

/** Whether the card has more items than were read. */
const isCut = (row: Row): boolean =>
  detailParts.some(({ column, isCut: isCutIn }) => isCutIn?.(row[column]) === true);

/** A record without a static type: the declaration decides what it holds. */
const recordOf = (records: object[]) => Object.assign({}, ...records);

/** What all parts show of a row. */
const shownIn = (row: Row, api: string): ShownDetail =>
  recordOf(detailParts.map(({ column, show }) => show(row[column], api)));

/** A card as its detail shows it, from its relations. */
const detailOf = (
  row: Row,
  card: CardRow,
  { workspace, board, list, deps }: Omit<CardContext, "caller">,
): CardDetail => ({
  ...showCard(card, workspace.cardPrefix),
  index: card.archivedAt === null ? row.before : null,
  listPublicId: list.publicId,
  boardPublicId: board.publicId,
  workspacePublicId: workspace.publicId,
  claim: row.claim,
  ...shownIn(row, `${deps.baseUrl}/api/v1`),
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

/** The relations of a card that has none, at an index. */
const noRelations = (before: number): Row => ({
  ...recordOf(detailParts.map(({ column, none }) => ({ [column]: none }))),
  isWatching: false,
  claim: null,
  before,
});

/** The detail of a new card without relations: nothing is read for it. */
export const plainCardDetail = (card: CardRow & { index: number }, context: CardContext) =>
  detailOf(noRelations(card.index), card, context);

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
  Pick<Context, "client" | "checkLimit"> & { deps: Pick<Deps, "anonymousReads" | "largeReads"> };

/** A card as a read answers it, from its first relations: more are read in the caller's turn. */
export const readDetail = async (
  query: Query,
  card: CardRow,
  context: DetailContext,
  firstRow?: Row,
): Promise<CardDetail> => {
  const row = firstRow ?? (await readRelations(query, card, context, smallItemBytes));
  if (!isCut(row)) return detailOf(row, card, context);
  return readLarge(context, () => cardDetail(query, card, context));
};
