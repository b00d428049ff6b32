import { systemRoles } from "../../contract/vocabulary/permissions.ts";
import type { Member } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { conflict } from "../../platform/errors.ts";
import { isLastManager } from "../permissions/override.ts";

/** 409 when a member is the last active admin of the workspace: somebody must be able to manage it. */
export async function keepAnAdmin(
  tx: UnitOfWork,
  member: Pick<Member, "id" | "workspaceId" | "status">,
  role: { isSystem: boolean; hierarchyLevel: number },
): Promise<void> {
  const isAdmin = role.isSystem && role.hierarchyLevel === systemRoles.admin.level;
  if (!isAdmin || member.status !== "active") return;
  if (await isLastManager(tx, member.workspaceId, member.id)) {
    throw conflict("The last active admin of a workspace must stay one.");
  }
}
