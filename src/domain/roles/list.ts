import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Role } from "../../contract/resources/roles.ts";
import { showRole } from "../presenters/roles.ts";

/** Lists the roles of a workspace with their permissions, highest level first. */
export const listRoles = query("role.list")
  .meta(
    rest("Permissions").get(
      "/workspaces/{workspacePublicId}/roles",
      "List roles",
      "Returns the roles of a workspace with their permissions, highest level first.",
    ),
  )
  .output(z.array(Role))
  .query(async ({ ctx: { workspace, db } }) => {
    const rows = await db.role.findMany({
      where: { workspaceId: workspace.id },
      orderBy: [{ hierarchyLevel: "desc" }, { id: "asc" }],
    });
    return rows.map(showRole);
  });
