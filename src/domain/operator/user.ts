import { z } from "zod";
import { OperatorUserDetail } from "../../contract/resources/operator.ts";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { readUser, showUser } from "./user-rows.ts";

const shownWorkspaces = 100;

type WorkspaceOfUser = z.infer<typeof OperatorUserDetail>["workspaces"][number];

/** Returns an account with its workspaces. */
export const getUser = query("operator.user", z.strictObject({ userPublicId: inputId("user") }))
  .meta(
    rest("Operator").get(
      "/operator/users/{userPublicId}",
      "Get an account",
      "Returns an account with the newest 100 of its workspaces and its role in each.",
    ),
  )
  .output(OperatorUserDetail)
  .query(async ({ ctx: { db }, input: { userPublicId } }) => {
    const row = await readUser(db.query, userPublicId);
    const workspaces = await db.query<WorkspaceOfUser>(sql`
      SELECT w."publicId", w.name, r.name AS role
      FROM members m JOIN workspaces w ON w.id = m."workspaceId" JOIN roles r ON r.id = m."roleId"
      WHERE m."userId" = ${row.id} AND m.status = 'active' AND w."deletedAt" IS NULL
      ORDER BY m.id DESC LIMIT ${sql.number(shownWorkspaces)}`);
    return { ...showUser(row), workspaces };
  });
