import { z } from "zod";
import { OperatorUser } from "../../contract/resources/operator.ts";
import { Page, pageOf, text } from "../../contract/vocabulary/texts.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { hasText } from "./has-text.ts";
import { selectUsers, showUser, type UserRow } from "./user-rows.ts";

const Filter = Page.extend({
  find: text(1, 255)
    .meta({
      description: "Only accounts whose address or name contains this, or that have this id.",
      examples: ["ada"],
    })
    .optional(),
  isDisabled: z
    .boolean()
    .meta({ description: "Only disabled accounts, or only others.", examples: [false] })
    .optional(),
  isOperator: z
    .boolean()
    .meta({ description: "Only accounts of operators, or only others.", examples: [true] })
    .optional(),
});

/** Lists the accounts of the service, newest first. */
export const listUsers = query("operator.users", Filter)
  .meta(
    rest("Operator").get(
      "/operator/users",
      "List all accounts",
      "Returns the accounts of the service, newest first, with their last use and the number of " +
        "their workspaces. Deleted accounts are left out.",
    ),
  )
  .output(pageOf(OperatorUser))
  .query(async ({ ctx: { db, deps }, input: { cursor, limit, find, isDisabled, isOperator } }) => {
    const pages = pagesById(deps.seal, "users of the operator");
    const before = pages.after(cursor) ?? null;
    const rows = await db.query<UserRow>(
      selectUsers(sql`(${before}::bigint IS NULL OR u.id < ${before}::bigint)
        AND ${hasText(find, [sql`u.email`, sql`u.name`], sql`u."publicId"`)}
        AND ("disabledAt" IS NOT NULL) = coalesce(${isDisabled ?? null}::boolean,
          "disabledAt" IS NOT NULL)
        AND "isOperator" = coalesce(${isOperator ?? null}::boolean, "isOperator")
        ORDER BY u.id DESC LIMIT ${limit + 1}`),
    );
    return pages.page(rows, limit, showUser);
  });
