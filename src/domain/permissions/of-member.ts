import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { effective } from "../../contract/vocabulary/permissions.ts";
import { rest } from "../../kernel/request/rest.ts";

const MemberPermissions = z
  .object({
    memberPublicId: z.string(),
    role: z.string(),
    permissions: z.array(z.string()),
    overrides: z.array(z.object({ permission: z.string(), granted: z.boolean() })),
  })
  .meta({ id: "MemberPermissions" });

/** Returns a member's role, effective permissions and overrides. */
export const permissionsOfMember = query("permission.ofMember")
  .meta(
    rest("Permissions").get(
      "/workspaces/{workspacePublicId}/members/{memberPublicId}/permissions",
      "Get a member's permissions",
      "Returns the member's role, their effective permissions, and their overrides of the role.",
    ),
  )
  .output(MemberPermissions)
  .query(async ({ ctx: { member, db } }) => {
    const { name, permissions } = await db.role.findUniqueOrThrow({ where: { id: member.roleId } });
    const overrides = await db.memberOverride.findMany({
      where: { memberId: member.id },
      orderBy: { permission: "asc" },
      select: { permission: true, granted: true },
    });
    return {
      memberPublicId: member.publicId,
      role: name,
      permissions: member.status === "active" ? effective(permissions, overrides) : [],
      overrides,
    };
  });
