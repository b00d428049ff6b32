/** What one card is to another, by kind as it is stored, and seen from the other end. */
export const relationKinds = {
  blocks: "blockedBy",
  parent: "child",
  relates: "relates",
  duplicates: "duplicatedBy",
} as const;

/** A kind as it is stored: `from` blocks, is the parent of, relates to or duplicates `to`. */
export type StoredRelationKind = keyof typeof relationKinds;
/** A kind as one of the two ends sees it. */
export type RelationKind = StoredRelationKind | (typeof relationKinds)[StoredRelationKind];

/** All kinds, in the order in which cards show them. */
export const seenKinds = [
  "parent",
  "child",
  "blocks",
  "blockedBy",
  "relates",
  "duplicates",
  "duplicatedBy",
] as const satisfies readonly RelationKind[];

const isStored = (kind: RelationKind): kind is StoredRelationKind =>
  Object.hasOwn(relationKinds, kind);

/** A kind as it is stored, and whether the end that sees it is the one that it is stored from. */
export function storedKind(kind: RelationKind): { kind: StoredRelationKind; isFrom: boolean } {
  if (isStored(kind)) return { kind, isFrom: true };
  const inverse = { blockedBy: "blocks", child: "parent", duplicatedBy: "duplicates" } as const;
  return { kind: inverse[kind], isFrom: false };
}

/** The kind that the other end sees. */
export function otherKind(kind: RelationKind): RelationKind {
  const { kind: stored, isFrom } = storedKind(kind);
  return isFrom ? relationKinds[stored] : stored;
}

/** The most relations of a card. */
export const maxRelationsOfCard = 100;
/** The most parents above a card. */
export const maxParents = 5;
