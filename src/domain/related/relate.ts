import { storedKind, type RelationKind } from "../../contract/vocabulary/relation-kinds.ts";
import type { Caller } from "../../kernel/access/callers.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { sql } from "../../platform/db/sql.ts";
import { checkRelation } from "./check.ts";
import { emitAtBoth, type LockedEnd } from "./ends.ts";

type Context = { tx: UnitOfWork<"relation.created">; caller: Caller; workspaceId: bigint };
type Path = (string | number)[];

/**
 * Relates two locked cards, with an event of each; nothing changes if they have this relation.
 *
 * Throws 409 as `checkRelation` does; `path` is that of the relation in the input.
 */
export async function relate(
  { tx, caller, workspaceId }: Context,
  one: LockedEnd,
  { kind: seen, other, path }: { kind: RelationKind; other: LockedEnd; path?: Path },
): Promise<void> {
  const { kind, isFrom } = storedKind(seen);
  const ids = [one.card.id, other.card.id] as const;
  const isLower = ids[0] < ids[1];
  // A relation without a direction is stored from the older card.
  const [fromId, toId] = (kind === "relates" ? isLower : isFrom) ? ids : [ids[1], ids[0]];
  const [existing] = await tx.query(sql`SELECT 1 FROM card_relations
    WHERE "fromId" = ${fromId} AND "toId" = ${toId} AND kind = ${kind}::"CardRelationKind"`);
  if (existing !== undefined) return;
  await checkRelation(tx, caller, workspaceId, { kind, fromId, toId }, path);
  const relation = { publicId: publicId(), kind: seen };
  void tx.query(sql`INSERT INTO card_relations ("publicId", "workspaceId", kind, "fromId", "toId",
      position, "createdAt")
    SELECT ${relation.publicId}, ${workspaceId}::bigint, ${kind}::"CardRelationKind",
      ${fromId}::bigint, ${toId}::bigint, coalesce(max(r.position), 0) + 1, ${tx.now}::timestamptz
    FROM card_relations r WHERE r."fromId" = ${fromId} AND r.kind = ${kind}::"CardRelationKind"`);
  emitAtBoth(tx, "relation.created", relation, one, other);
}
