import { z } from "zod";
import { RelationKind } from "../../contract/resources/relations.ts";
import { storedKind, type RelationKind as Kind } from "../../contract/vocabulary/relation-kinds.ts";
import type { Membership } from "../../kernel/access/authorize.ts";
import type { Caller } from "../../kernel/access/callers.ts";
import { seenByUser } from "../../kernel/access/visibility-of-caller.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql } from "../../platform/db/sql.ts";
import { conflict, Failure, issueOfMissing, missingPermission } from "../../platform/errors.ts";
import { emitAtBoth, isNumber, liveCards, numberIn, type LockedEnd } from "./ends.ts";
import { relate } from "./relate.ts";
import { RelatedCardName } from "./related-card-name.ts";

const given = z
  .strictObject({ kind: RelationKind, relatedCardPublicId: RelatedCardName })
  .meta({ id: "GivenRelation", description: "What the card is to another one." });
const relationsOf = (description: string) =>
  z.array(given).max(100).meta({ description }).optional();

/** The input field with the relations of a new card. */
export const newRelations = {
  relations: relationsOf(
    "What the card is to others, as `relation.create` takes it. Requires `card:edit`.",
  ),
};

/** The input fields that change the relations of cards. */
export const changedRelations = {
  addRelations: relationsOf(
    "Relates the card to others, as `relation.create` does. What it is to them already stays.",
  ),
  removeRelations: relationsOf("Removes these relations, before others are added."),
};

type Named = { kind: Kind; relatedCardPublicId: string };
type Field = keyof typeof newRelations | keyof typeof changedRelations;
type Fields = { [Name in Field]?: Named[] | undefined };

/** Whether an input changes relations. */
export const changesRelations = (input: Fields): boolean => namedIn(input).length > 0;

type Path = (string | number)[];
type NamedAt = Named & { path: Path };

const fieldNames = ["removeRelations", "relations", "addRelations"] as const;

/** The relations that an input names, with their paths. */
const namedIn = (input: Fields, path: Path = []): (NamedAt & { field: Field })[] =>
  fieldNames.flatMap((field) =>
    (input[field] ?? []).map((named, nth) => ({ ...named, field, path: [...path, field, nth] })),
  );

/** The cards that an input names, locked, by the texts that name them. */
export type RelatedCards = ReadonlyMap<string, LockedEnd>;

type Context = {
  workspace: { id: bigint; cardPrefix: string };
  caller: Caller;
  membership: Membership;
  tx: Pick<UnitOfWork, "query" | "lock">;
};

type Row = Omit<LockedEnd["card"], "id"> & {
  id: bigint;
  list: LockedEnd["list"];
  board: LockedEnd["board"];
};

/**
 * Locks some cards, and those that the relations of an input name, in the order of their ids.
 *
 * Throws 403 without `card:edit`, and 404 with the paths of cards that the caller does not see.
 */
export async function lockRelated(
  ctx: Context,
  cardIds: bigint[],
  input: Fields,
  path?: Path,
): Promise<RelatedCards> {
  const { membership, tx } = ctx;
  if (!membership.may.has("card:edit")) throw missingPermission("card:edit");
  const named = namedIn(input, path);
  const ids = (await readCards(ctx, named)).map(({ id }) => id);
  const locked = new Set(await tx.lock("cards", [...new Set([...cardIds, ...ids])]));
  // What they are in may have changed until they were locked.
  const cards = (await readCards(ctx, named)).filter(({ id }) => locked.has(id));
  const ends = new Map(
    cards.flatMap(({ list, board, ...card }) => {
      const end = { card, list, board, workspace: ctx.workspace };
      return [card.publicId, String(card.number)].map((name) => [name, end] as const);
    }),
  );
  const nameOf = (name: string) => (isNumber(name) ? String(numberIn(name)) : name);
  const issues = named.flatMap(({ relatedCardPublicId: name, path: at }) =>
    ends.has(nameOf(name)) ? [] : [issueOfMissing("card", name, [...at, "relatedCardPublicId"])],
  );
  if (issues.length > 0) throw new Failure("NOT_FOUND", issues);
  return new Map(
    named.flatMap(({ relatedCardPublicId: name }) => {
      const end = ends.get(nameOf(name));
      return end === undefined ? [] : [[name, end] as const];
    }),
  );
}

/** Reads the cards that names mean, of those that the caller sees. */
function readCards({ workspace, caller, tx }: Context, named: readonly Named[]): Promise<Row[]> {
  const names = named.map(({ relatedCardPublicId }) => relatedCardPublicId);
  return tx.query<Row>(sql`SELECT o.id, o."publicId", o.number,
      json_build_object('publicId', l."publicId", 'name', l.name) AS list,
      json_build_object('publicId', b."publicId", 'name', b.name) AS board
    FROM ${liveCards} WHERE o."workspaceId" = ${workspace.id} AND o."deletedAt" IS NULL
      AND (o."publicId" = ANY(${names.filter((name) => !isNumber(name))}::text[])
        OR o.number = ANY(${names.filter(isNumber).map(numberIn)}::int[]))
      AND ${seenByUser(caller)(sql`b`)}`);
}

/** The most relations that one call changes: each has two events. */
const maxChanges = 500;

type Relating = Omit<Context, "membership" | "tx"> & { tx: UnitOfWork<"relation.created"> };
type Changing = Omit<Context, "membership" | "tx"> & {
  tx: UnitOfWork<"relation.created" | "relation.deleted">;
};

/** Relates a new card as an input asks for it. */
export async function addRelations(
  { tx, caller, workspace }: Relating,
  card: LockedEnd,
  related: RelatedCards,
  input: Pick<Fields, "relations">,
): Promise<void> {
  for (const { kind, relatedCardPublicId, path } of namedIn(input)) {
    const other = related.get(relatedCardPublicId);
    const relation = other && { kind, other, path };
    if (relation) await relate({ tx, caller, workspaceId: workspace.id }, card, relation);
  }
}

/** Changes the relations of locked cards as an input asks for it; returns the ids of changed ones. */
export async function changeRelations(
  { tx, caller, workspace }: Changing,
  cards: readonly LockedEnd[],
  related: RelatedCards,
  input: Omit<Fields, "relations">,
  inputPath?: Path,
): Promise<bigint[]> {
  const named = namedIn(input, inputPath);
  if (cards.length * named.length > maxChanges) {
    const message = `A call changes at most ${maxChanges} relations of cards.`;
    throw conflict("limit_exceeded", message, inputPath);
  }
  const changed = new Set<bigint>();
  for (const card of cards) {
    for (const { kind, relatedCardPublicId, field, path } of named) {
      const other = related.get(relatedCardPublicId);
      if (other === undefined) continue;
      const count = tx.pendingEvents.length;
      if (field === "removeRelations") await removeRelation(tx, card, kind, other);
      else await relate({ tx, caller, workspaceId: workspace.id }, card, { kind, other, path });
      if (tx.pendingEvents.length > count) changed.add(card.card.id);
    }
  }
  return [...changed];
}

/** Removes a relation of two locked cards, if there is one. */
async function removeRelation(
  tx: UnitOfWork<"relation.deleted">,
  one: LockedEnd,
  seen: Kind,
  other: LockedEnd,
): Promise<void> {
  const { kind, isFrom } = storedKind(seen);
  const [from, to] = isFrom ? [one.card.id, other.card.id] : [other.card.id, one.card.id];
  const isEither = sql`OR "fromId" = ${to} AND "toId" = ${from}`;
  const [row] = await tx.query<{ publicId: string }>(sql`DELETE FROM card_relations
    WHERE kind = ${kind}::"CardRelationKind"
      AND ("fromId" = ${from} AND "toId" = ${to} ${kind === "relates" ? isEither : sql.empty})
    RETURNING "publicId"`);
  if (row !== undefined) emitAtBoth(tx, "relation.deleted", { ...row, kind: seen }, one, other);
}
