import type { z } from "zod";
import { OperatorAction } from "../../contract/resources/operator.ts";
import { iso, Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";

type Entry = z.infer<typeof OperatorAction>;
type Row = Omit<Entry, "createdAt"> & { id: bigint; createdAt: Date };

/** Lists the writes of operators, latest first. */
export const listActions = query("operator.log", Page)
  .meta(
    rest("Operator").get(
      "/operator/log",
      "List what operators did",
      "Returns the writes of operators, newest first: who called which operation with what, when " +
        "and from where. They are deleted after the retention period of events (`EVENT_DAYS`).",
    ),
  )
  .output(pageOf(OperatorAction))
  .query(async ({ ctx: { db, deps }, input: { cursor, limit } }) => {
    const pages = pagesById(deps.seal, "log of the operator");
    const before = pages.after(cursor) ?? null;
    const rows = await db.query<Row>(sql`
      SELECT a.id, a.operation, a.input, a.ip, a."requestId", a."createdAt",
        CASE WHEN u.id IS NOT NULL
          THEN json_build_object('publicId', u."publicId", 'email', u.email) END AS operator
      FROM operator_actions a LEFT JOIN users u ON u.id = a."userId"
      WHERE ${before}::bigint IS NULL OR a.id < ${before}::bigint
      ORDER BY a.id DESC LIMIT ${limit + 1}`);
    return pages.page(rows, limit, ({ operation, input, operator, ip, requestId, createdAt }) => ({
      operation,
      input,
      operator,
      ip,
      requestId,
      createdAt: iso(createdAt),
    }));
  });
