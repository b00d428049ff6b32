import { fullMessage, type Limits } from "../contract/limits.ts";
import { sql, type Sql } from "../platform/db/sql.ts";
import { conflict } from "../platform/errors.ts";
import type { UnitOfWork } from "./events/unit-of-work.ts";

type Kind = keyof Limits;
type Holder = Pick<UnitOfWork, "query" | "limits" | "lock">;

type Parent = {
  /** The column with the id of the parent. */
  parent: Sql;
  /** Which of the rows `t` count. */
  live: Sql;
  /** The rows, where the kind is not the name of their table. */
  rows?: Sql;
};

const live = sql`t."deletedAt" IS NULL`;
const workspace = { parent: sql`t."workspaceId"`, live };
const board = { parent: sql`t."boardId"`, live };
const card = { parent: sql`t."cardId"`, live };
const parents: Record<Kind, Parent> = {
  workspaces: { parent: sql`t."createdById"`, live },
  // Deleted workspaces count too: their listing has a bound as well.
  memberships: {
    parent: sql`t."userId"`,
    live: sql`t.status = 'active'`,
    rows: sql`members t`,
  },
  account_webhooks: {
    parent: sql`w."createdById"`,
    live,
    rows: sql`webhooks t JOIN workspaces w ON w.id = t."workspaceId"`,
  },
  boards: workspace,
  members: { ...workspace, live: sql`t.status <> 'removed'` },
  webhooks: workspace,
  roles: { ...workspace, live: sql`true` },
  labels: board,
  lists: { ...board, live: sql`${live} AND t."archivedAt" IS NULL` },
  // Archived lists are hidden, and have a limit of their own.
  archived_lists: {
    ...board,
    live: sql`${live} AND t."archivedAt" IS NOT NULL`,
    rows: sql`lists t`,
  },
  cards: {
    ...board,
    live: sql`${live} AND EXISTS (
      SELECT 1 FROM lists l WHERE l.id = t."listId" AND l."deletedAt" IS NULL)`,
  },
  checklists: card,
  attachments: card,
  checklist_items: { parent: sql`t."checklistId"`, live },
};

/** Throws 409 when a count exceeds the limit of a kind. */
export function checkCount(limits: Limits, kind: Kind, count: number): void {
  if (count <= limits[kind]) return;
  throw conflict("limit_exceeded", fullMessage(limits, kind));
}

/** Throws 409 when `more` of a kind exceed the limit of a parent, which the caller has locked. */
export async function checkLimit(
  { query, limits }: Pick<Holder, "query" | "limits">,
  kind: Kind,
  parentId: bigint,
  more = 1,
): Promise<void> {
  const most = limits[kind];
  const { parent, live: counts, rows = sql`${sql.identifier(kind)} t` } = parents[kind];
  const [row] = await query<{ full: boolean }>(
    sql`SELECT count(*) > ${BigInt(most - more)}::bigint AS full FROM (
      SELECT 1 FROM ${rows} WHERE ${parent} = ${parentId} AND ${counts}
      LIMIT ${Math.max(most - more + 1, 0)}::bigint) AS counted`,
  );
  if (row?.full) checkCount(limits, kind, most + 1);
}

/** Locks an account before its limits are checked. Accounts come first in the order of locks. */
export async function lockAccount({ query }: Pick<Holder, "query">, userId: bigint): Promise<void> {
  await query(sql`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`);
}

/** The distance to the limit within which concurrent calls could fill a board. */
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
