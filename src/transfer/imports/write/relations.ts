import {
  maxParents,
  maxRelationsOfCard,
  otherKind,
  storedKind,
  type RelationKind,
} from "../../../contract/vocabulary/relation-kinds.ts";
import { keepParts } from "../../../domain/parts/kept.ts";
import { checkRelation } from "../../../domain/related/check.ts";
import { publicId as newPublicId } from "../../../platform/db/public-id.ts";
import { sql } from "../../../platform/db/sql.ts";
import { Failure } from "../../../platform/errors.ts";
import type { Known, LookUp } from "./identity.ts";
import type { SourceCard } from "./source.ts";
import type { SourceRelation } from "./source-relations.ts";
import { announce, type Cards, type ImportedPart, type ImportStep } from "./step.ts";
import type { WrittenCard } from "./step.ts";
import { lockRows, writtenCard } from "./earlier-card.ts";

/** The reason for relations that the rules of this service do not allow. */
const refused =
  "A card would block, contain or duplicate itself, have two parents, more than " +
  `${maxParents} above it, or more than ${maxRelationsOfCard} relations.`;

const relationsOf = (card: SourceCard): SourceRelation[] => card.relations ?? [];

/** The cards that relations of new cards name: those of this step, and those that are here already. */
async function othersOf(
  step: ImportStep,
  cards: Cards,
  lookUp: LookUp,
): Promise<Map<string, WrittenCard>> {
  const others = new Map([...cards].map(([{ publicId: id }, written]) => [id, written]));
  const earlier = new Map<bigint, [string, Known]>();
  for (const [card, { isNew }] of cards) {
    for (const { cardPublicId: id } of isNew ? relationsOf(card) : []) {
      const known = others.has(id) ? undefined : lookUp("card", id);
      if (known?.isLive === true) earlier.set(known.targetId, [id, known]);
    }
  }
  if (earlier.size === 0) return others;
  for (const row of await lockRows(step, [...earlier.keys()])) {
    const [id, known] = earlier.get(row.id) ?? [];
    if (id !== undefined && known !== undefined) others.set(id, writtenCard(step, row, known));
  }
  return others;
}

/** The two cards of a relation, the first of which sees it as `kind`. */
type Pair = { kind: RelationKind; position: number; ends: [WrittenCard, WrittenCard] };

/** Stores a relation, unless it is there already; says whether it may be. */
async function insertRelation(
  { tx, target }: ImportStep,
  { kind: seen, position, ends: [one, other] }: Pair,
): Promise<{ isNew: boolean; isAllowed: boolean; publicId?: string }> {
  const { kind, isFrom } = storedKind(seen);
  // A relation without a direction is stored from the older card.
  const isFirst = kind === "relates" ? one.id < other.id : isFrom;
  const [fromId, toId] = isFirst ? [one.id, other.id] : [other.id, one.id];
  const existing = await tx.query(sql`SELECT 1 FROM card_relations
    WHERE "fromId" = ${fromId} AND "toId" = ${toId} AND kind = ${kind}::"CardRelationKind"`);
  if (existing.length > 0) return { isNew: false, isAllowed: true };
  try {
    await checkRelation(tx, null, target.id, { kind, fromId, toId });
  } catch (error) {
    if (error instanceof Failure) return { isNew: false, isAllowed: false };
    throw error;
  }
  const id = newPublicId();
  await tx.query(sql`INSERT INTO card_relations ("publicId", "workspaceId", kind, "fromId", "toId",
      position, "createdAt")
    VALUES (${id}, ${target.id}, ${kind}::"CardRelationKind", ${fromId}, ${toId},
      ${position}, ${tx.now})`);
  return { isNew: true, isAllowed: true, publicId: id };
}

/** Announces a relation at both ends, when both cards have been. */
function announceBoth(step: ImportStep, publicId: string, { kind, ends }: Pair, last: WrittenCard) {
  const at = (seen: RelationKind, one: WrittenCard, other: WrittenCard) =>
    last.events.push(() =>
      announce(step, "relation.created", {
        relation: { publicId, kind: seen },
        ...one.eventRefs,
        to: {
          cardPublicId: other.eventRefs.card.publicId,
          cardNumber: other.eventRefs.card.cardNumber,
          boardPublicId: other.eventRefs.board.publicId,
        },
      }),
    );
  at(kind, ends[0], ends[1]);
  at(otherKind(kind), ends[1], ends[0]);
}

/** What cards are to others. Of two cards, the one that is written later brings their relation. */
export const relations: ImportedPart = {
  names: (card) =>
    relationsOf(card).map(({ cardPublicId: sourceId }) => ({ kind: "card", sourceId })),
  async write(step, cards, lookUp) {
    if (![...cards.keys()].some((card) => relationsOf(card).length > 0)) return;
    const others = await othersOf(step, cards, lookUp);
    const order = new Map([...cards.values()].map((written, nth) => [written.id, nth]));
    const changed = new Set<bigint>();
    const refusedPairs = new Set<string>();
    for (const [card, written] of cards) {
      for (const { kind, cardPublicId, position } of written.isNew ? relationsOf(card) : []) {
        const other = others.get(cardPublicId);
        if (other === undefined || !other.isEditable) continue;
        const pair: Pair = { kind, position, ends: [written, other] };
        const key = `${otherKind(kind)} ${other.id} ${written.id}`;
        if (refusedPairs.has(key)) continue;
        const { isNew, isAllowed, publicId: id } = await insertRelation(step, pair);
        if (!isAllowed) {
          refusedPairs.add(`${kind} ${written.id} ${other.id}`);
          const issue = { kind: "card", sourceId: card.publicId, name: card.title } as const;
          const { publicId: here } = written.eventRefs.card;
          const detail = `${kind} ${other.eventRefs.card.cardNumber}`;
          const about = { reason: refused, detail, cardPublicId: here };
          step.report.skip({ ...issue, ...about, severity: "partial" });
        }
        if (!isNew || id === undefined) continue;
        const isLast = (order.get(other.id) ?? -1) < (order.get(written.id) ?? 0);
        announceBoth(step, id, pair, isLast ? written : other);
        changed.add(written.id).add(other.id);
      }
    }
    await keepParts(step.tx.query, sql`c.id = ANY(${[...changed]}::bigint[])`);
  },
};
