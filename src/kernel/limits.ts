import { fullMessage, type Limits } from "../contract/limits.ts";
import { limitedTables } from "../contract/fields/part.ts";
import { cardParts } from "../contract/resources/card-parts.ts";
import { sql, type Sql } from "../platform/db/sql.ts";
import { conflict } from "../platform/errors.ts";
import type { UnitOfWork } from "./events/unit-of-work.ts";

/** Without private views, whose limit `view.create` checks while their workspace is locked. */
type Kind = Exclude<keyof Limits, "private_views">;
type Holder = Pick<UnitOfWork, "query" | "limits" | "lock" | "lockOrder">;

type Parent = {
  /** The table of the parent. */
  of: Parameters<UnitOfWork["lock"]>[0];
  /** The column with the id of the parent. */
  parent: Sql;
  /** Which of the rows `t` count. */
  live: Sql;
  /** The rows, where the kind is not the name of their table. */
  rows?: Sql;
};

const live = sql`t."deletedAt" IS NULL`;
const workspace = { of: "workspaces", parent: sql`t."workspaceId"`, live } as const;
const board = { of: "boards", parent: sql`t."boardId"`, live } as const;
const parents: Record<Kind, Parent> = {
  workspaces: { of: "users", parent: sql`t."createdById"`, live },
  // Deleted workspaces count too: their listing has a bound as well.
  memberships: {
    of: "users",
    parent: sql`t."userId"`,
    live: sql`t.status = 'active'`,
    rows: sql`members t`,
  },
  account_webhooks: {
    of: "users",
    parent: sql`w."createdById"`,
    live,
    rows: sql`webhooks t JOIN workspaces w ON w.id = t."workspaceId"`,
  },
  boards: workspace,
  members: { ...workspace, live: sql`t.status <> 'removed'` },
  webhooks: workspace,
  roles: { ...workspace, live: sql`true` },
  labels: board,
  fields: { ...board, rows: sql`custom_fields t` },
  views: { ...workspace, live: sql`${live} AND t."ownerId" IS NULL` },
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
  ...limitedTables(cardParts, (_, { table, column } = { table: "cards", column: "cardId" }) => ({
    of: table,
    parent: sql`t.${sql.identifier(column)}`,
    live,
  })),
};

/** Throws 409 when a count exceeds the limit of a kind. */
export function checkCount(limits: Limits, kind: keyof Limits, count: number): void {
  if (count <= limits[kind]) return;
  throw conflict("limit_exceeded", fullMessage(limits, kind));
}

/** Throws 409 when `more` of a kind exceed the limit of a parent, which it locks. */
export async function checkLimit(
  tx: Holder,
  kind: Kind,
  parentId: bigint,
  more = 1,
): Promise<void> {
  const { limits } = tx;
  const max = limits[kind];
  const { of, parent, live: counts, rows = sql`${sql.identifier(kind)} t` } = parents[kind];
  tx.lockOrder(of, parentId);
  const [row] = await tx.query<{ full: boolean }>(
    sql`SELECT count(*) > ${BigInt(max - more)}::bigint AS full FROM (
      SELECT 1 FROM ${rows} WHERE ${parent} = ${parentId} AND ${counts}
      LIMIT ${Math.max(max - more + 1, 0)}::bigint) AS counted`,
  );
  if (row?.full) checkCount(limits, kind, max + 1);
}

/** Locks an account before its limits are checked. Accounts come first in the order of locks. */
export async function lockAccount(tx: Pick<UnitOfWork, "lock">, userId: bigint): Promise<void> {
  await tx.lock("users", [userId]);
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
