import type { Limits } from "../contract/limits.ts";
import { sql, type Sql } from "../platform/db/sql.ts";
import { conflict } from "../platform/errors.ts";
import type { UnitOfWork } from "./events/unit-of-work.ts";

type Kind = keyof Limits;
type Holder = Pick<UnitOfWork, "query" | "limits" | "lock">;

const live = sql`t."deletedAt" IS NULL`;
const parents: { [Of in Kind]: { parent: string; of: string; live: Sql } } = {
  workspaces: { parent: "createdById", of: "account", live },
  boards: { parent: "workspaceId", of: "workspace", live },
  members: { parent: "workspaceId", of: "workspace", live: sql`t.status <> 'removed'` },
  webhooks: { parent: "workspaceId", of: "workspace", live },
  roles: { parent: "workspaceId", of: "workspace", live: sql`true` },
  labels: { parent: "boardId", of: "board", live },
  lists: { parent: "boardId", of: "board", live },
  cards: {
    parent: "boardId",
    of: "board",
    live: sql`${live} AND EXISTS (
      SELECT 1 FROM lists l WHERE l.id = t."listId" AND l."deletedAt" IS NULL)`,
  },
  checklists: { parent: "cardId", of: "card", live },
  attachments: { parent: "cardId", of: "card", live },
  checklist_items: { parent: "checklistId", of: "checklist", live },
};

/** Throws 409 when a count exceeds the limit of a kind. */
export function checkCount(limits: Limits, kind: Kind, count: number): void {
  if (count <= limits[kind]) return;
  const { of } = parents[kind];
  throw conflict(
    "limit_exceeded",
    `${of === "account" ? "An" : "A"} ${of} has at most ${limits[kind]} ${kind.replace("_", " ")}.`,
  );
}

/** Throws 409 when `more` of a kind exceed the limit of a parent, which the caller has locked. */
export async function checkLimit(
  { query, limits }: Pick<Holder, "query" | "limits">,
  kind: Kind,
  parentId: bigint,
  more = 1,
): Promise<void> {
  const most = limits[kind];
  const { parent, live: counts } = parents[kind];
  const [row] = await query<{ full: boolean }>(
    sql`SELECT count(*) > ${BigInt(most - more)}::bigint AS full FROM (
      SELECT 1 FROM ${sql.identifier(kind)} t
      WHERE t.${sql.identifier(parent)} = ${parentId} AND ${counts}
      LIMIT ${Math.max(most - more + 1, 0)}::bigint) AS counted`,
  );
  if (row?.full) checkCount(limits, kind, most + 1);
}

/** Concurrent calls take card numbers: this far below the limit no board can be full. */
const slack = 1_000;

/** Throws 409 when `more` cards exceed the limit of a board; a board near its limit is locked. */
export async function checkCardLimit(
  tx: Holder,
  { id, lastCardNumber }: { id: bigint; lastCardNumber: number },
  boardId: bigint,
  more = 1,
): Promise<void> {
  // The whole workspace has fewer card numbers than the limit: no board can be full.
  if (lastCardNumber + more + slack <= tx.limits.cards) return;
  await tx.lock("boards", [boardId]);
  await tx.lock("workspaces", [id]);
  await checkLimit(tx, "cards", boardId, more);
}
