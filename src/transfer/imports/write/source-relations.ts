import {
  maxRelationsOfCard,
  otherKind,
  storedKind,
  type RelationKind,
} from "../../../contract/vocabulary/relation-kinds.ts";
import { getOrInsert } from "../../../platform/maps.ts";
import type { SourceCard } from "./source.ts";

/** A relation of a card, as the card sees it, to another one of the source. */
export type SourceRelation = NonNullable<SourceCard["relations"]>[number];

/** What a source says of its cards, which may name a relation at one end or at both. */
export class SourceRelations {
  readonly #of = new Map<string, SourceRelation[]>();
  readonly #known = new Set<string>();

  /** Whether two cards can have one more relation. */
  hasRoom(id: string, otherId: string): boolean {
    const count = (of: string) => this.#of.get(of)?.length ?? 0;
    return Math.max(count(id), count(otherId)) < maxRelationsOfCard;
  }

  /** Adds a relation to both ends, if there is room. One that is known changes nothing. */
  add(id: string, kind: RelationKind, otherId: string): boolean {
    const { kind: stored, isFrom } = storedKind(kind);
    const ends = isFrom ? [id, otherId] : [otherId, id];
    const key = JSON.stringify([stored, ...(stored === "relates" ? ends.toSorted() : ends)]);
    if (this.#known.has(key)) return true;
    if (!this.hasRoom(id, otherId)) return false;
    this.#known.add(key);
    const [position] = ends.slice(0, 1).map((from) => (this.#of.get(from)?.length ?? 0) + 1);
    const put = (at: string, relation: SourceRelation) =>
      getOrInsert(this.#of, at, () => []).push(relation);
    put(id, { kind, cardPublicId: otherId, position: position ?? 1 });
    put(otherId, { kind: otherKind(kind), cardPublicId: id, position: position ?? 1 });
    return true;
  }

  /** The relations of a card. */
  of(id: string): SourceRelation[] {
    return this.#of.get(id) ?? [];
  }
}

/** The reason for a relation to the card itself. */
export const toItself = "A card has no relation to itself.";
/** The reason for relations that are too many. */
export const tooManyRelations = `A card has at most ${maxRelationsOfCard} relations.`;
