import { z } from "zod";
import { OperatorWebhook } from "../../contract/resources/operator.ts";
import { iso, isoOrNull, Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { Webhook } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";

const Filter = Page.extend({
  isFailing: z
    .boolean()
    .meta({
      description: "Only webhooks whose last attempt failed, or only others.",
      examples: [true],
    })
    .optional(),
});

type Row = Webhook & Record<"workspacePublicId" | "workspaceName", string>;

/** Lists the webhooks of all workspaces, newest first. */
export const listAllWebhooks = query("operator.webhooks", Filter)
  .meta(
    rest("Operator").get(
      "/operator/webhooks",
      "List all webhooks",
      "Returns the webhooks of all workspaces, newest first, without the paths of their URLs. " +
        "Those of workspaces in the trash are left out.",
    ),
  )
  .output(pageOf(OperatorWebhook))
  .query(async ({ ctx: { db, deps }, input: { cursor, limit, isFailing } }) => {
    const pages = pagesById(deps.seal, "webhooks of the operator");
    const before = pages.after(cursor) ?? null;
    const rows = await db.query<Row>(sql`
      SELECT w.*, s."publicId" AS "workspacePublicId", s.name AS "workspaceName"
      FROM webhooks w JOIN workspaces s ON s.id = w."workspaceId" AND s."deletedAt" IS NULL
      WHERE w."deletedAt" IS NULL AND (${before}::bigint IS NULL OR w.id < ${before}::bigint)
        AND (w."failingSince" IS NOT NULL) = coalesce(${isFailing ?? null}::boolean,
          w."failingSince" IS NOT NULL)
      ORDER BY w.id DESC LIMIT ${limit + 1}`);
    return pages.page(rows, limit, showRow);
  });

const showRow = (row: Row): z.infer<typeof OperatorWebhook> => ({
  publicId: row.publicId,
  name: row.name,
  origin: new URL(row.url).origin,
  workspacePublicId: row.workspacePublicId,
  workspaceName: row.workspaceName,
  isActive: row.active,
  failingSince: isoOrNull(row.failingSince),
  lastSuccessAt: isoOrNull(row.lastSuccessAt),
  lastFailureAt: isoOrNull(row.lastFailureAt),
  createdAt: iso(row.createdAt),
});
