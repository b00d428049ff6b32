import { publicId } from "../../platform/db/public-id.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { memberSelect } from "../views/member-select.ts";

type MemberFields = {
  email: string;
  roleId: bigint;
  removedAt: null;
} & (
  | { status: "invited"; invitedById: bigint }
  | { status: "active"; userId: bigint; joinedAt: Date }
);

/** Updates the member row of a user in a workspace, or creates it. */
export function upsertMember(
  { prisma, now }: UnitOfWork,
  workspaceId: bigint,
  known: { id: bigint } | undefined,
  fields: MemberFields,
) {
  const data = { ...fields, updatedAt: now };
  const select = memberSelect;
  return known === undefined
    ? prisma.member.create({
        data: { ...data, publicId: publicId(), workspaceId, createdAt: now },
        select,
      })
    : prisma.member.update({
        where: { id: known.id },
        data: { ...data, version: { increment: 1 } },
        select,
      });
}
