import { inputId } from "../../contract/vocabulary/ids.ts";
import { query } from "../../kernel/procedures/query.ts";
import { keyAllows, type Caller } from "../../kernel/access/callers.ts";
import { holdsPermission, isVisibleTo } from "../../kernel/access/visibility.ts";
import { isOpenTo, requireFactor, type FactorSetting } from "../../kernel/access/second-factor.ts";
import { FilterText } from "../../contract/filter/schema.ts";
import type { Permission } from "../../contract/vocabulary/permissions.ts";
import { customNamesIn, readCustomFields } from "../filters/custom-fields.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { Due } from "../cards/filters.ts";
import { cardConditions, type CardConditions, type Days } from "./card-conditions.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import { summariesOnBoards } from "../cards/summaries.ts";
import { CardOnBoard } from "../../contract/resources/cards.ts";
import { notFound } from "../../platform/errors.ts";
import { Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";

const MyCardsInput = Page.extend({
  due: Due.optional(),
  filter: FilterText.optional(),
  workspacePublicId: inputId("workspace").optional(),
});

type Search = {
  conditions: CardConditions;
  workspacePublicId: string | null;
  setting: FactorSetting;
};

type Row = { id: bigint; publicId: string; keys: string[]; seesLabels: boolean };

/**
 * SQL: the next cards of a caller after the keys of another.
 *
 * Each membership reads its first cards by the index of their due dates.
 */
function statement(
  caller: Caller,
  { conditions, workspacePublicId, setting }: Search,
  [afterDue = null, afterId = null]: readonly (string | null)[],
  limit: number,
): Sql {
  const keyWorkspaceId = caller.key?.workspaceId ?? null;
  const keyBoardId = caller.key?.boardId ?? null;
  const manages = managesBy(caller);
  const seesLabels = keyAllows(caller, "board:view")
    ? holdsPermission(sql`'board:view'`)
    : sql`false`;
  const seesComments = keyAllows(caller, "comment:view")
    ? holdsPermission(sql`'comment:view'`)
    : sql`false`;
  const isAfter =
    afterDue === null
      ? sql.empty
      : sql`AND (cm."openDueDate", cm."cardId") > (${afterDue}::timestamptz, ${afterId}::bigint)`;
  return sql`SELECT card.id, card."publicId", w."seesLabels",
      ARRAY[card."dueDate"::text, card.id::text] AS keys
    FROM (SELECT m.id AS "memberId", ${seesLabels} AS "seesLabels", ${manages} AS manages,
        ${seesComments} AS "seesComments", w."timeZone", w."weekStartDay", w."cardPrefix",
        ${conditions.from} AS "dueFrom", ${conditions.until} AS "dueUntil"
      FROM members m JOIN roles r ON r.id = m."roleId"
        JOIN workspaces w ON w.id = m."workspaceId" AND w."deletedAt" IS NULL
      WHERE m."userId" = ${caller.userId} AND m.status = 'active'
        AND ${isOpenTo(sql`${caller.hasSecondFactor}::boolean`, sql`w."requiresSecondFactor"`, setting)}
        AND ${holdsPermission(sql`'card:view'`)}
        AND (${workspacePublicId}::text IS NULL OR w."publicId" = ${workspacePublicId})
        AND (${keyWorkspaceId}::bigint IS NULL OR w.id = ${keyWorkspaceId}) OFFSET 0) w
    CROSS JOIN LATERAL (SELECT cm."cardId" AS id, cm."openDueDate" AS "dueDate", shown."publicId"
      FROM card_members cm
      CROSS JOIN LATERAL (SELECT c."publicId"
        FROM cards c JOIN lists l ON l.id = c."listId" JOIN boards b ON b.id = c."boardId"
        WHERE c.id = cm."cardId" AND c."deletedAt" IS NULL AND c."archivedAt" IS NULL
          AND l."deletedAt" IS NULL AND l."archivedAt" IS NULL
          AND b."deletedAt" IS NULL AND b."archivedAt" IS NULL
          AND ${isVisibleTo(sql`w."memberId"`, sql`w.manages`)}
          AND (${keyBoardId}::bigint IS NULL OR b.id = ${keyBoardId})
          AND ${conditions.isPassing} OFFSET 0) shown
      WHERE cm."memberId" = w."memberId" AND cm."openDueDate" IS NOT NULL
        AND cm."openDueDate" BETWEEN w."dueFrom" AND w."dueUntil" ${isAfter}
      ORDER BY cm."openDueDate", cm."cardId" LIMIT ${limit}) card
    ORDER BY card."dueDate", card.id LIMIT ${limit}`;
}

/** SQL: whether the member `m` with the role `r` manages the workspace by this caller. */
const managesBy = (caller: Caller) =>
  keyAllows(caller, "workspace:manage") ? holdsPermission(sql`'workspace:manage'`) : sql`false`;

/** SQL: whether the custom field `f` is of a board that the caller sees. */
function isInReach(caller: Caller): Sql {
  const keyBoardId = caller.key?.boardId ?? null;
  return sql`EXISTS (SELECT 1 FROM boards b
    JOIN members m ON m."workspaceId" = b."workspaceId" AND m."userId" = ${caller.userId}
      AND m.status = 'active'
    JOIN roles r ON r.id = m."roleId"
    WHERE b.id = f."boardId" AND b."deletedAt" IS NULL
      AND ${isVisibleTo(sql`m.id`, managesBy(caller))}
      AND (${keyBoardId}::bigint IS NULL OR b.id = ${keyBoardId}))`;
}

/** SQL: whether the caller sees what requires a permission in the workspace `w`. */
const seesIn = (permission: Permission) =>
  permission === "board:view" ? sql`w."seesLabels"` : sql`w."seesComments"`;

/** A user as a member of a workspace, with its days. */
type Member = Days & { publicId: string };

/** SQL: a user as a member of their workspaces. */
const membersOf = (userId: bigint) => sql`SELECT m."publicId", w."timeZone", w."weekStartDay"
  FROM members m JOIN workspaces w ON w.id = m."workspaceId" WHERE m."userId" = ${userId}`;

/** Lists the cards that the caller is assigned to, in all workspaces, soonest due first. */
export const myCards = query("user.cards", MyCardsInput)
  .meta(
    rest("Users").get(
      "/users/me/cards",
      "List your cards",
      "Returns the cards assigned to the caller in all workspaces, soonest due first. Archived " +
        "cards and cards that the caller may not see are left out. Days are those of the caller's " +
        "`timeZone`, else of the workspace of a card, else of UTC. Workspaces that require a second " +
        "factor are left out for a caller without one; 403 for one that is named.",
      { errors: ["FORBIDDEN"] },
    ),
  )
  .output(pageOf(CardOnBoard))
  .query(async ({ ctx: { caller, db, deps }, input }) => {
    const { workspacePublicId, due, filter } = input;
    const where = {
      publicId: workspacePublicId ?? "",
      deletedAt: null,
      members: { some: { userId: caller.userId, status: "active" } },
    } as const;
    if (workspacePublicId !== undefined) {
      const workspace = await db.workspace.findFirst({ where });
      if (workspace === null) throw notFound("workspace");
      if (workspace.requiresSecondFactor || deps.config.REQUIRE_SECOND_FACTOR)
        requireFactor(caller);
    }
    const isFiltered = due !== undefined || filter !== undefined;
    const members = isFiltered ? await db.query<Member>(membersOf(caller.userId)) : [];
    const conditions = cardConditions({ due, filter }, caller, members, {
      now: deps.clock().getTime(),
      me: members.map(({ publicId }) => publicId),
      may: seesIn,
      custom: await readCustomFields(db.query, isInReach(caller), customNamesIn(filter), filter),
    });
    const keyset = pagesByKeys(deps.seal, `cards of user ${caller.userId}`);
    const search = {
      conditions,
      workspacePublicId: workspacePublicId ?? null,
      setting: deps.config,
    };
    const after = keyset.after(input.cursor) ?? [];
    const found = keyAllows(caller, "card:view")
      ? await db.query<Row>(statement(caller, search, after, input.limit + 1))
      : [];
    const { rows, nextCursor } = keyset.page(found, input.limit);
    const ids = rows.map((row) => row.id);
    const items = await summariesOnBoards(db.query, ids);
    const seesLabels = new Map(rows.map((row) => [row.publicId, row.seesLabels]));
    return {
      items: items.map((card) => (seesLabels.get(card.publicId) ? card : { ...card, labels: [] })),
      nextCursor,
    };
  });
