import { givenId } from "../../contract/vocabulary/ids.ts";
import type { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { keyAllows, type Caller } from "../../kernel/access/callers.ts";
import { holdsPermission, isVisibleTo } from "../../kernel/access/visibility.ts";
import { timeZoneIn } from "../../kernel/time-zones.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { Due, isDue } from "../cards/filters.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import { summariesOf } from "../cards/summaries.ts";
import { CardSummary } from "../../contract/resources/cards.ts";
import { notFound } from "../../platform/errors.ts";
import { Page, pageOf } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";

const MyCardsInput = Page.extend({
  due: Due.optional(),
  workspacePublicId: givenId("workspace").optional(),
});

type Search = {
  due: z.infer<typeof Due> | null;
  now: Date;
  workspacePublicId: string | null;
  after: [due: string | null, id: string | null];
  limit: number;
};

type Found = { id: bigint; publicId: string; keys: string[]; seesLabels: boolean };

function statement(caller: Caller, { due, now, workspacePublicId, after, limit }: Search): Sql {
  const keyWorkspaceId = caller.key?.workspaceId ?? null;
  const keyBoardId = caller.key?.boardId ?? null;
  const [afterDue, afterId] = after;
  const manages = keyAllows(caller, "workspace:manage")
    ? holdsPermission(sql`'workspace:manage'`)
    : sql`false`;
  const seesLabels = keyAllows(caller, "board:view")
    ? holdsPermission(sql`'board:view'`)
    : sql`false`;
  // Each membership reads its first cards by the index of their due dates.
  const isAfter =
    afterDue === null
      ? sql.empty
      : sql`AND (cm."openDueDate", cm."cardId") > (${afterDue}::timestamptz, ${afterId}::bigint)`;
  return sql`SELECT c.id, c."publicId", ARRAY[open."dueDate"::text, c.id::text] AS keys,
      open."seesLabels"
    FROM (SELECT m.id AS "memberId", ${seesLabels} AS "seesLabels", ${manages} AS manages,
        w."timeZone", w."weekStartDay"
      FROM members m JOIN roles r ON r.id = m."roleId"
        JOIN workspaces w ON w.id = m."workspaceId" AND w."deletedAt" IS NULL
      WHERE m."userId" = ${caller.userId} AND m.status = 'active'
        AND ${holdsPermission(sql`'card:view'`)}
        AND (${workspacePublicId}::text IS NULL OR w."publicId" = ${workspacePublicId})
        AND (${keyWorkspaceId}::bigint IS NULL OR w.id = ${keyWorkspaceId}) OFFSET 0) w
    CROSS JOIN LATERAL (SELECT cm."cardId", cm."openDueDate" AS "dueDate", w."seesLabels"
      FROM card_members cm CROSS JOIN LATERAL (SELECT c."completedAt" FROM cards c
          JOIN lists l ON l.id = c."listId" AND l."deletedAt" IS NULL AND l."archivedAt" IS NULL
          JOIN boards b ON b.id = c."boardId" AND b."deletedAt" IS NULL AND b."archivedAt" IS NULL
        WHERE c.id = cm."cardId" AND c."deletedAt" IS NULL AND c."archivedAt" IS NULL
          AND ${isVisibleTo(sql`w."memberId"`, sql`w.manages`)}
          AND (${keyBoardId}::bigint IS NULL OR b.id = ${keyBoardId}) OFFSET 0) c
      WHERE cm."memberId" = w."memberId" AND cm."openDueDate" IS NOT NULL
        AND ${isDue(due, now, timeZoneIn(caller), sql`cm."openDueDate"`)} ${isAfter}
      ORDER BY cm."openDueDate", cm."cardId" LIMIT ${limit}) open
    JOIN cards c ON c.id = open."cardId"
    ORDER BY open."dueDate", c.id LIMIT ${limit}`;
}

/** Lists the cards that the caller is assigned to, in all workspaces, soonest due first. */
export const myCards = query("user.cards", MyCardsInput)
  .meta(
    rest("Users").get(
      "/users/me/cards",
      "List your cards",
      "Returns the cards assigned to the caller in all workspaces, soonest due first. Archived " +
        "cards and cards that the caller may not see are left out.",
    ),
  )
  .output(pageOf(CardSummary))
  .query(async ({ ctx: { caller, db, deps }, input }) => {
    const { workspacePublicId } = input;
    if (workspacePublicId !== undefined) {
      const member = { userId: caller.userId, status: "active" } as const;
      const where = { publicId: workspacePublicId, deletedAt: null, members: { some: member } };
      if ((await db.workspace.count({ where })) === 0) throw notFound("workspace");
    }
    const keyset = pagesByKeys(deps.seal, `cards of user ${caller.userId}`);
    const [due = null, id = null] = keyset.after(input.cursor) ?? [];
    const search: Search = {
      due: input.due ?? null,
      now: deps.clock(),
      workspacePublicId: workspacePublicId ?? null,
      after: [due, id],
      limit: input.limit + 1,
    };
    const found = !keyAllows(caller, "card:view")
      ? []
      : await db.query<Found>(statement(caller, search));
    const { rows, nextCursor } = keyset.page(found, input.limit);
    const ids = rows.map((row) => row.id);
    const items = await summariesOf(db.query, ids);
    const seesLabels = new Map(rows.map((row) => [row.publicId, row.seesLabels]));
    return {
      items: items.map((card) => (seesLabels.get(card.publicId) ? card : { ...card, labels: [] })),
      nextCursor,
    };
  });
