import { sql, type Sql } from "../../platform/db/sql.ts";
import { keyAllows, keyAllowsSql, type Caller } from "./callers.ts";
import { isKey, type Credential } from "./credential.ts";
import { holdsPermission, isVisibleTo } from "./visibility.ts";

const manage = sql`'workspace:manage'`;

/** SQL: whether an active member with a user's id sees a board. */
const seesAs = (userId: Sql, keyManages: Sql, hasFactor: Sql, board: Sql) =>
  sql`EXISTS (SELECT FROM members m JOIN roles r ON r.id = m."roleId"
    WHERE m."workspaceId" = ${board}."workspaceId" AND m."userId" = ${userId}
      AND m.status = 'active' AND (${hasFactor} OR NOT (SELECT w."requiresSecondFactor"
        FROM workspaces w WHERE w.id = m."workspaceId"))
      AND ${isVisibleTo(sql`m.id`, sql`(${keyManages} AND ${holdsPermission(manage)})`, board)})`;

/** SQL: the visibility rule for a caller, wherever the board is; `board` is its alias. */
export const seenByUser =
  ({ userId, key, hasSecondFactor }: Pick<Caller, "userId" | "key" | "hasSecondFactor">) =>
  (board: Sql): Sql =>
    sql`(${seesAs(
      sql`${userId}`,
      sql`${keyAllows({ key }, "workspace:manage")}::boolean`,
      sql`${hasSecondFactor}::boolean`,
      board,
    )}
      AND (${key?.boardId ?? null}::bigint IS NULL OR ${board}.id = ${key?.boardId ?? null}))`;

/** SQL: the same in the statement that authorizes a call, for its `caller`. */
export const seenByCaller =
  (credential: Credential) =>
  (board: Sql): Sql => {
    const isOnBoard = isKey(credential)
      ? sql`AND (caller."key.boardId" IS NULL OR ${board}.id = caller."key.boardId")`
      : sql.empty;
    return sql`(${seesAs(
      sql`caller."caller.userId"`,
      keyAllowsSql(credential).allows(manage),
      sql`caller."caller.hasSecondFactor"`,
      board,
    )}
      ${isOnBoard})`;
  };
