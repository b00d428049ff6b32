import { effective } from "../../contract/vocabulary/permissions.ts";
import { canGive } from "../../kernel/access/hierarchy.ts";
import type { Reader } from "../../platform/db/database.ts";
import type { Invite } from "../../platform/db/rows.ts";

type GrantedRole = { hierarchyLevel: number; permissions: string[] };

/** Whether the creator of an invite may still invite to its role. */
export async function creatorCanGive(
  { member }: Pick<Reader, "member">,
  invite: Pick<Invite, "workspaceId" | "createdById">,
  role: GrantedRole,
): Promise<boolean> {
  if (invite.createdById === null) return false;
  const creator = await member.findFirst({
    where: { workspaceId: invite.workspaceId, userId: invite.createdById, status: "active" },
    select: {
      role: { select: { hierarchyLevel: true, permissions: true } },
      overrides: { select: { permission: true, granted: true } },
    },
  });
  if (creator === null) return false;
  const may = new Set(effective(creator.role.permissions, creator.overrides));
  return may.has("member:invite") && canGive({ level: creator.role.hierarchyLevel, may }, role);
}
