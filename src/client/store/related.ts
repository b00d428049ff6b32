import { otherKind, type RelationKind } from "../../contract/vocabulary/relation-kinds.ts";
import { findCard, mapRows, put } from "./rows.ts";
import type { BoardView, CardDetail, CardView, Entry } from "./types.ts";

// What a card is to others stands on both cards, and either end may be the newer one: a card that
// was archived when the other one was read comes back with its own. So both count, and the numbers
// are those of the cards that the board shows, which no event of the card itself tells.

type Related = CardView["relatedCards"];
type Ids = Map<string, Set<string>>;

const hasAny = ({ parent, children, blocks, blockedBy }: Related): boolean =>
  parent !== null || children.length > 0 || blocks.length > 0 || blockedBy.length > 0;

const add = (ids: Ids, key: string, value: string): void => {
  const known = ids.get(key);
  if (known === undefined) ids.set(key, new Set([value]));
  else known.add(value);
};

/** What blocks and contains what on a board, by the ids of both ends. */
function edgesOf(cards: readonly CardView[]) {
  const [blocks, blockedBy]: [Ids, Ids] = [new Map(), new Map()];
  const [children, parents]: [Ids, Ids] = [new Map(), new Map()];
  const shown = new Set(cards.map(({ publicId }) => publicId));
  const relate = (from: Ids, to: Ids, one: string, other: string) => {
    if (!shown.has(one) || !shown.has(other)) return;
    add(from, one, other);
    add(to, other, one);
  };
  for (const { publicId, relatedCards } of cards) {
    const { parent } = relatedCards;
    for (const id of relatedCards.blocks) relate(blocks, blockedBy, publicId, id);
    for (const id of relatedCards.blockedBy) relate(blocks, blockedBy, id, publicId);
    for (const id of relatedCards.children) relate(children, parents, publicId, id);
    if (parent !== null) relate(children, parents, parent, publicId);
  }
  return { blocks, blockedBy, children, parents };
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id, nth) => id === other[nth]);

/** A board whose cards show what they are to the others that it shows. */
export function withRelated(board: BoardView): BoardView {
  const cards = board.lists.flatMap((list) => list.cards);
  if (!cards.some(({ relatedCards }) => hasAny(relatedCards))) return board;
  const { blocks, blockedBy, children, parents } = edgesOf(cards);
  const completed = new Set(cards.flatMap((card) => (card.isComplete ? card.publicId : [])));
  const sorted = (ids: Ids, id: string) => [...(ids.get(id) ?? [])].toSorted();
  return mapRows(board, "card", (card: CardView) => {
    const id = card.publicId;
    const related = {
      parent: sorted(parents, id)[0] ?? null,
      children: sorted(children, id),
      blocks: sorted(blocks, id),
      blockedBy: sorted(blockedBy, id),
    };
    const openBlockers = related.blockedBy.filter((one) => !completed.has(one)).length;
    const done = related.children.filter((one) => completed.has(one)).length;
    const counts = { total: related.children.length, completed: done };
    const last = card.relatedCards;
    const isUnchanged =
      last.parent === related.parent &&
      isSame(last.children, related.children) &&
      isSame(last.blocks, related.blocks) &&
      isSame(last.blockedBy, related.blockedBy) &&
      card.openBlockers === openBlockers &&
      card.children.total === counts.total &&
      card.children.completed === counts.completed;
    return isUnchanged ? card : { ...card, relatedCards: related, openBlockers, children: counts };
  });
}

type Named = { kind: RelationKind; relatedCardPublicId: string };

/** The relations that a change adds and removes, as the card of the change sees them. */
function relationsIn({ operation, input }: Entry): { added: Named[]; removed: Named[] } {
  const isCard = operation === "card.create" || operation === "card.update";
  const named = (field: string) => (isCard ? ((input[field] ?? []) as Named[]) : []);
  return {
    added: [...named("relations"), ...named("addRelations")],
    removed: named("removeRelations"),
  };
}

const listed = { blocks: "blocks", blockedBy: "blockedBy", parent: "children" } as const;

/** What a card is to others after a relation to one of them was added or removed. */
function relatedAfter(related: Related, kind: RelationKind, id: string, isAdded: boolean): Related {
  if (kind === "child") {
    if (isAdded) return { ...related, parent: id };
    return related.parent === id ? { ...related, parent: null } : related;
  }
  if (kind !== "blocks" && kind !== "blockedBy" && kind !== "parent") return related;
  const name = listed[kind];
  const others = related[name].filter((other) => other !== id);
  return { ...related, [name]: isAdded ? [...others, id] : others };
}

/** A board with the relations that a change adds and removes, on both cards. */
export function withRelationChanges(board: BoardView, change: Entry): BoardView {
  const { added, removed } = relationsIn(change);
  const relate =
    (isAdded: boolean) =>
    (next: BoardView, { kind, relatedCardPublicId: other }: Named): BoardView => {
      const ends = [
        { id: change.publicId, kind, to: other },
        { id: other, kind: otherKind(kind), to: change.publicId },
      ];
      return ends.reduce((shown, end) => {
        const { card } = findCard(shown, end.id) ?? {};
        if (card === undefined) return shown;
        const relatedCards = relatedAfter(card.relatedCards, end.kind, end.to, isAdded);
        const fields: Partial<CardView> & { publicId: string } = { publicId: end.id, relatedCards };
        return put(shown, "card", fields);
      }, next);
    };
  return added.reduce(relate(true), removed.reduce(relate(false), board));
}

type Relation = CardDetail["relations"][number];

/** A relation to a card of the board, as a card shows it before the service has answered. */
function relationTo(board: BoardView, { kind, relatedCardPublicId }: Named): Relation[] {
  const { card, list } = findCard(board, relatedCardPublicId) ?? {};
  if (card === undefined || list === undefined) return [];
  const { publicId, title, cardNumber, isComplete, isArchived } = card;
  const { dueDate, isDueAllDay, members } = card;
  const state = { isComplete, isArchived, dueDate, isDueAllDay, members };
  const { name } = list;
  const place = { list: { publicId: list.publicId, name }, boardPublicId: board.publicId };
  const shown = { publicId, title, cardNumber, ...state, ...place };
  return [{ publicId: `${kind}-${publicId}`, kind, card: shown }];
}

/** A card with the relations that a change adds and removes, to cards of its board. */
export function withShownRelations(
  card: CardDetail,
  change: Entry,
  board: BoardView | undefined,
): CardDetail {
  const { added, removed } = relationsIn(change);
  if (added.length + removed.length === 0 || board === undefined) return card;
  const has = ({ kind, card: other }: Relation, named: Named) =>
    kind === named.kind && other.publicId === named.relatedCardPublicId;
  const left = card.relations.filter((one) => !removed.some((named) => has(one, named)));
  const missing = added.filter((named) => !left.some((one) => has(one, named)));
  return { ...card, relations: [...left, ...missing.flatMap((named) => relationTo(board, named))] };
}
