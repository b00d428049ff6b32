import type { RelationKind } from "../../contract/vocabulary/relation-kinds.ts";
import { otherKind } from "../../contract/vocabulary/relation-kinds.ts";
import type { TargetResources } from "../../kernel/access/resources.ts";
import type { Caller } from "../../kernel/access/callers.ts";
import { seenByUser } from "../../kernel/access/visibility-of-caller.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { notFound } from "../../platform/errors.ts";

/** A card with its parents, as the target of a call. */
export type End = {
  card: Pick<TargetResources<"card">["card"], "publicId" | "number">;
  list: { publicId: string; name: string };
  board: { publicId: string; name: string };
  workspace: { cardPrefix: string };
};
/** A locked card with its parents. */
export type LockedEnd = End & { card: End["card"] & { id: bigint } };
type Emitted = "relation.created" | "relation.moved" | "relation.deleted";

/** A relation as a card sees it, with the other card. */
export type SeenRelation = { publicId: string; kind: RelationKind };

/** Emits an event of a card about its relation to another one. */
export function emitAt(
  tx: UnitOfWork<Emitted>,
  type: Emitted,
  relation: SeenRelation,
  { card, list, board }: End,
  other: End,
): void {
  const cardNumber = `${other.workspace.cardPrefix}-${other.card.number}`;
  const { publicId: cardPublicId } = other.card;
  const to = { cardPublicId, cardNumber, boardPublicId: other.board.publicId };
  tx.emit(type, { relation, card, list, board, to });
}

/** Emits the events of both cards of a relation; `relation` is as the first one sees it. */
export function emitAtBoth(
  tx: UnitOfWork<Emitted>,
  type: Emitted,
  relation: SeenRelation,
  one: End,
  other: End,
): void {
  emitAt(tx, type, relation, one, other);
  emitAt(tx, type, { ...relation, kind: otherKind(relation.kind) }, other, one);
}

/** SQL: cards `o` whose lists `l` and boards `b` are not in the trash. */
export const liveCards = sql`cards o JOIN lists l ON l.id = o."listId" AND l."deletedAt" IS NULL
  JOIN boards b ON b.id = o."boardId" AND b."deletedAt" IS NULL`;

type Finder = { workspace: { id: bigint }; caller: Caller; tx: { query: Query } };

/** The public id of the other card of a relation of a card; 404 if the caller does not see it. */
export async function otherCardOf(
  { card, caller, tx }: Finder & { card: { id: bigint } },
  relationPublicId: string,
): Promise<string> {
  const isOther = sql`o.id = CASE WHEN r."fromId" = ${card.id} THEN r."toId" ELSE r."fromId" END`;
  const [other] = await tx.query<{ publicId: string }>(sql`
    SELECT o."publicId" FROM card_relations r JOIN (SELECT o.* FROM ${liveCards}
      WHERE o."deletedAt" IS NULL AND ${seenByUser(caller)(sql`b`)}) o ON ${isOther}
    WHERE r."publicId" = ${relationPublicId}
      AND (r."fromId" = ${card.id} OR r."toId" = ${card.id})`);
  if (other === undefined) throw notFound("relation");
  return other.publicId;
}

/** Whether a text names a card by its number, such as `ENG-12`. */
export const isNumber = (name: string): boolean =>
  /^(?:[A-Za-z0-9]{1,10}-)?[1-9][0-9]{0,8}$/.test(name);
/** The number in `ENG-12`. */
export const numberIn = (cardNumber: string): number => Number(cardNumber.split("-").at(-1));

/** The public id of the card with a number in the workspace; 404 if the caller does not see it. */
export async function cardWithNumber(
  { workspace, caller, tx }: Finder,
  cardNumber: string,
): Promise<string> {
  const isHere: Sql = sql`o."workspaceId" = ${workspace.id}`;
  const [card] = await tx.query<{ publicId: string }>(sql`
    SELECT o."publicId" FROM ${liveCards}
    WHERE ${isHere} AND o."deletedAt" IS NULL AND o.number = ${numberIn(cardNumber)}
      AND ${seenByUser(caller)(sql`b`)}`);
  if (card === undefined) throw notFound("card");
  return card.publicId;
}
