import { isActiveAccount } from "../../kernel/access/active-account.ts";
import { isOpenTo, type FactorSetting } from "../../kernel/access/second-factor.ts";
import { holdsPermission, isVisibleTo } from "../../kernel/access/visibility.ts";
import { verifiesEmail, type VerifySettings } from "../../platform/config.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** SQL: whether the member `mine` with the role `"myRole"` has a permission. */
export const holds = (permission: Sql): Sql =>
  holdsPermission(permission, sql`mine`, sql`"myRole"`);

const manages = holds(sql`'workspace:manage'`);

/** SQL: whether the `board` is visible to the member `mine`. */
export const recipientSeesBoard = isVisibleTo(sql`mine.id`, manages, sql`board`);

/** SQL: whether the member `mine` may see a board, a card and the workspace of a notification. */
export const [viewsBoard, viewsCard, viewsWorkspace] = [
  holds(sql`'board:view'`),
  holds(sql`'card:view'`),
  holds(sql`'workspace:view'`),
] as const;

/** SQL: the permission to read a notification, by its `data` and its card. */
export const neededFor = (data: Sql, cardId: Sql): Sql =>
  sql`CASE WHEN ${data} ? 'comment' THEN 'comment:view'
    WHEN ${cardId} IS NULL THEN 'board:view' ELSE 'card:view' END`;

/** SQL: whether the account `u` may act as the owner of its address, where that is verified. */
export const mayActForEmailSql = (config: VerifySettings): Sql =>
  verifiesEmail(config) ? sql`u."emailVerifiedAt" IS NOT NULL` : sql`true`;

/**
 * SQL: the notifications `n` that their users can see, with the workspace, board and card.
 *
 * A condition can follow.
 */
export const visibleNotifications = (
  config: VerifySettings & FactorSetting,
): Sql => sql`FROM notifications n
  JOIN users u ON u.id = n."userId" AND ${isActiveAccount}
  LEFT JOIN LATERAL (SELECT c.id, c."boardId", c."publicId", c.title, c.number
    FROM cards c WHERE c.id = n."cardId" OFFSET 0) card ON true
  LEFT JOIN boards board ON board.id = COALESCE(card."boardId", n."boardId")
    AND board."deletedAt" IS NULL
  JOIN workspaces workspace ON workspace.id = COALESCE(board."workspaceId", n."workspaceId")
    AND workspace."deletedAt" IS NULL
  LEFT JOIN members mine ON mine."workspaceId" = workspace.id AND mine."userId" = u.id
    AND mine.status = 'active'
    AND ${isOpenTo(sql`u."hasSecondFactor"`, sql`workspace."requiresSecondFactor"`, config)}
  LEFT JOIN roles "myRole" ON "myRole".id = mine."roleId"
  WHERE CASE
    WHEN n.type = 'invited' THEN EXISTS (SELECT 1 FROM members m
      WHERE m."workspaceId" = workspace.id AND m.status <> 'removed'
        AND (m."userId" = u.id OR m."userId" IS NULL AND m.email = u.email
          AND ${mayActForEmailSql(config)}))
    WHEN n."boardId" IS NULL THEN mine.id IS NOT NULL AND ${manages}
    ELSE mine.id IS NOT NULL AND board.id IS NOT NULL
      AND ${holds(neededFor(sql`n.data`, sql`n."cardId"`))} AND ${recipientSeesBoard}
  END`;
