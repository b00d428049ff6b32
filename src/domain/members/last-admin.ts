import type { Member } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { conflict } from "../../platform/errors.ts";
import { isAdmin, isLastAdmin } from "../permissions/override.ts";

/** 409 when the member is the last active admin of the workspace. */
export async function requireOtherAdmin(
  tx: UnitOfWork,
  member: Pick<Member, "id" | "workspaceId" | "status">,
  role: { isSystem: boolean; hierarchyLevel: number },
): Promise<void> {
  if (!isAdmin(role) || member.status !== "active") return;
  if (await isLastAdmin(tx, member.workspaceId, member.id)) {
    throw conflict("last_admin", "A workspace must have at least one active admin.");
  }
}
