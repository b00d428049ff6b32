import type { Member } from "../../platform/db/rows.ts";
import type { Work } from "../../kernel/unit-of-work.ts";
import { keepAnAdmin } from "./last-admin.ts";
import { memberSelect } from "../views/member-select.ts";
import { viewMember } from "../views/members.ts";

/** Takes a member out of a workspace: no right is left, whatever they created; 409 for the last active admin. */
export async function removeFrom(work: Work<"member.removed">, member: Member): Promise<void> {
  if (member.status === "removed") return;
  const role = await work.tx.role.findUniqueOrThrow({ where: { id: member.roleId } });
  await keepAnAdmin(work, member, role);
  const where = { memberId: member.id };
  await work.tx.boardMember.deleteMany({ where });
  await work.tx.memberOverride.deleteMany({ where });
  await work.tx.invite.updateMany({
    where: { ...where, deactivatedAt: null },
    data: { deactivatedAt: work.now },
  });
  const after = await work.tx.member.update({
    where: { id: member.id },
    data: {
      status: "removed",
      removedAt: work.now,
      version: { increment: 1 },
      updatedAt: work.now,
    },
    select: memberSelect,
  });
  work.emit(
    "member.removed",
    { member: viewMember(after, false) },
    { status: { from: member.status, to: "removed" } },
  );
}
