import {
  maxParents,
  maxRelationsOfCard,
  type StoredRelationKind,
} from "../../contract/vocabulary/relation-kinds.ts";
import type { Caller } from "../../kernel/access/callers.ts";
import { seenByUser } from "../../kernel/access/visibility-of-caller.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { firstRow, type Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { conflict } from "../../platform/errors.ts";

/** A relation to store, of two locked cards. */
export type NewRelation = { kind: StoredRelationKind; fromId: bigint; toId: bigint };

type Edge = { fromId: bigint; toId: bigint };

/** The relations behind a card, if they lead to another one. */
const wayTo = ({ kind, fromId, toId }: NewRelation) => sql`
  WITH RECURSIVE behind AS (
    SELECT "fromId", "toId" FROM card_relations
    WHERE "fromId" = ${toId} AND kind = ${kind}::"CardRelationKind"
    UNION SELECT r."fromId", r."toId" FROM behind JOIN card_relations r
      ON r."fromId" = behind."toId" AND r.kind = ${kind}::"CardRelationKind")
  SELECT * FROM behind WHERE EXISTS (SELECT FROM behind WHERE "toId" = ${fromId})`;

/** The ids of cards from one to another, along some relations. */
function pathIn(edges: Edge[], from: bigint, to: bigint): bigint[] {
  const before = new Map<bigint, bigint>();
  const queue = [from];
  for (const id of queue) {
    for (const { fromId, toId } of edges) {
      if (fromId !== id || before.has(toId)) continue;
      before.set(toId, id);
      queue.push(toId);
    }
  }
  const path = [to];
  for (let at = before.get(to); at !== undefined && at !== from; at = before.get(at))
    path.unshift(at);
  return [from, ...path];
}

/** What a caller, or an import, sees of cards: their numbers, and `…` for those that do not exist for the caller. */
async function namesOf(query: Query, caller: Caller | null, ids: bigint[]): Promise<string[]> {
  if (caller === null) return [];
  const rows = await query<{ id: bigint; name: string }>(sql`
    SELECT c.id, w."cardPrefix" || '-' || c.number AS name FROM cards c
    JOIN workspaces w ON w.id = c."workspaceId" JOIN boards b ON b.id = c."boardId"
    JOIN lists l ON l.id = c."listId"
    WHERE c.id = ANY(${ids}::bigint[]) AND c."deletedAt" IS NULL AND l."deletedAt" IS NULL
      AND b."deletedAt" IS NULL AND ${seenByUser(caller)(sql`b`)}`);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return ids.map((id) => names.get(id) ?? "…");
}

/**
 * Throws 409 for a relation that would make a circle, a second parent, too many levels, or too many
 * relations of a card.
 *
 * Locks the workspace of a relation with a direction: two calls that relate four cards could make a
 * circle together.
 */
export async function checkRelation(
  tx: Pick<UnitOfWork, "query" | "lock">,
  caller: Caller | null,
  workspaceId: bigint,
  relation: NewRelation,
  path?: (string | number)[],
): Promise<void> {
  const { query } = tx;
  const { kind, fromId, toId } = relation;
  if (fromId === toId) throw conflict("relation_cycle", "A card has no relation to itself.", path);
  await checkCount(query, [fromId, toId], path);
  if (kind === "relates") return;
  await tx.lock("workspaces", [workspaceId]);
  const edges = await query<Edge>(wayTo(relation));
  if (edges.length > 0) {
    const names = await namesOf(query, caller, [fromId, ...pathIn(edges, toId, fromId)]);
    const message = `The relation would make a circle: ${names.join(" → ")}.`;
    throw conflict("relation_cycle", message, path);
  }
  if (kind === "parent") await checkParents(query, relation, path);
}

type Path = (string | number)[] | undefined;

async function checkCount(query: Query, cardIds: bigint[], path: Path): Promise<void> {
  const rows = await query<{ count: number }>(sql`
    SELECT (SELECT count(*)::int FROM card_relations r
      WHERE r."fromId" = c.id OR r."toId" = c.id) AS count
    FROM unnest(${cardIds}::bigint[]) AS c(id)`);
  if (rows.some(({ count }) => count >= maxRelationsOfCard)) {
    const message = `A card has at most ${maxRelationsOfCard} relations.`;
    throw conflict("limit_exceeded", message, path);
  }
}

async function checkParents(
  query: Query,
  { fromId, toId }: NewRelation,
  path: Path,
): Promise<void> {
  const { hasParent, levels } = firstRow(
    await query<{ hasParent: boolean; levels: number }>(sql`
      WITH RECURSIVE above AS (SELECT ${fromId}::bigint AS id, 1 AS level
        UNION ALL SELECT r."fromId", above.level + 1 FROM above
        JOIN card_relations r ON r."toId" = above.id AND r.kind = 'parent'),
      below AS (SELECT ${toId}::bigint AS id, 0 AS level
        UNION ALL SELECT r."toId", below.level + 1 FROM below
        JOIN card_relations r ON r."fromId" = below.id AND r.kind = 'parent')
      SELECT EXISTS (SELECT FROM card_relations r
          WHERE r."toId" = ${toId} AND r.kind = 'parent') AS "hasParent",
        (SELECT max(level) FROM above) + (SELECT max(level) FROM below) AS levels`),
  );
  if (hasParent) {
    const message = "The card has a parent already. Remove that relation first.";
    throw conflict("relation_second_parent", message, path);
  }
  if (levels > maxParents) {
    const message = `A card has at most ${maxParents} parents above it.`;
    throw conflict("relation_too_deep", message, path);
  }
}
