import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { notFound } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Card } from "../../contract/resources/cards.ts";
import { readDetail } from "./detail.ts";
import { keyAllows, type Caller } from "../../kernel/access/callers.ts";
import { holdsPermission, isVisibleTo } from "../../kernel/access/visibility.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";

type AccessibleCard = {
  id: bigint;
  list: { publicId: string };
  board: { publicId: string };
  workspace: { publicId: string; cardPrefix: string };
  /** Whether the caller may see the labels of its board. */
  seesLabels: boolean;
};

type Row = Record<"listPublicId" | "boardPublicId" | "workspacePublicId" | "cardPrefix", string> &
  Pick<AccessibleCard, "id" | "seesLabels">;

// After a move, an old number leads to the other workspace: the caller needs card:view there.
const statement = (number: number, workspaceId: bigint, caller: Caller) => {
  const { userId, key, hasSecondFactor } = caller;
  return sql`SELECT c.id, l."publicId" AS "listPublicId", b."publicId" AS "boardPublicId",
    w."publicId" AS "workspacePublicId", w."cardPrefix",
    rights.labels AND ${keyAllows({ key }, "board:view")}::boolean AS "seesLabels"
  FROM cards c JOIN lists l ON l.id = c."listId" AND l."deletedAt" IS NULL
  JOIN boards b ON b.id = c."boardId" AND b."deletedAt" IS NULL
  JOIN workspaces w ON w.id = c."workspaceId" AND w."deletedAt" IS NULL
  JOIN members m ON m."workspaceId" = w.id AND m."userId" = ${userId} AND m.status = 'active'
  JOIN roles r ON r.id = m."roleId"
  CROSS JOIN LATERAL (SELECT ${holdsPermission(sql`'card:view'`)} AS views,
    ${holdsPermission(sql`'board:view'`)} AS labels,
    ${holdsPermission(sql`'workspace:manage'`)} AS manages) AS rights
  WHERE c."deletedAt" IS NULL AND rights.views
    AND (${hasSecondFactor}::boolean OR NOT w."requiresSecondFactor")
    AND (c."workspaceId" = ${workspaceId} AND c.number = ${number}
      OR c.id = (SELECT a."cardId" FROM card_aliases a
        WHERE a."workspaceId" = ${workspaceId} AND a.number = ${number}))
    AND ${isVisibleTo(
      sql`m.id`,
      sql`(rights.manages
      AND ${keyAllows({ key }, "workspace:manage")})`,
    )}
    AND (${key?.workspaceId ?? null}::bigint IS NULL OR w.id = ${key?.workspaceId ?? null})
    AND (${key?.boardId ?? null}::bigint IS NULL OR b.id = ${key?.boardId ?? null})
  ORDER BY c."workspaceId" = ${workspaceId} DESC LIMIT 1`;
};

/** Finds the card that has, or had, a number in a workspace; null when the caller cannot see it. */
async function findAccessibleCard(
  number: number,
  { db, workspace, caller }: { db: { query: Query }; workspace: { id: bigint }; caller: Caller },
): Promise<AccessibleCard | null> {
  const [row] = await db.query<Row>(statement(number, workspace.id, caller));
  return row === undefined
    ? null
    : {
        id: row.id,
        list: { publicId: row.listPublicId },
        board: { publicId: row.boardPublicId },
        workspace: { publicId: row.workspacePublicId, cardPrefix: row.cardPrefix },
        seesLabels: row.seesLabels,
      };
}

const CardNumber = z.strictObject({
  cardNumber: z
    .string()
    .regex(/^(?:[A-Za-z0-9]{1,10}-)?[1-9][0-9]{0,8}$/, "Must be a number such as ENG-12 or 12")
    .meta({ description: "The card prefix and number, such as `ENG-12`.", examples: ["AE-12"] }),
});

/** Reads the card that has a number in the workspace, or had it before its board moved. */
export const getCardByNumber = query("card.getByNumber", CardNumber)
  .meta(
    rest("Cards").get(
      "/workspaces/{workspacePublicId}/cards/{cardNumber}",
      "Get a card by its number",
      "Returns a card by its number, `ENG-12` or `12`; the prefix is ignored. If its board was " +
        "moved to another workspace, the old number still finds the card, for callers with " +
        "access there.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(Card)
  .query(async ({ ctx, input }) => {
    const { db } = ctx;
    const number = Number(input.cardNumber.split("-").at(-1));
    const match = await findAccessibleCard(number, ctx);
    if (match === null) throw notFound("card");
    const card = await db.card.findUniqueOrThrow({ where: { id: match.id } });
    // The target is the workspace, but the ETag belongs to the card.
    ctx.responseMeta.version = card.version;
    const detail = await readDetail(db.query, card, { ...ctx, ...match });
    return match.seesLabels ? detail : { ...detail, labels: [] };
  });
