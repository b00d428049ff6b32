import { publicId } from "../../platform/db/public-id.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { memberSelect } from "../views/member-select.ts";

type Place = {
  email: string;
  roleId: bigint;
  removedAt: null;
} & (
  | { status: "invited"; invitedById: bigint }
  | { status: "active"; userId: bigint; joinedAt: Date }
);

/** Gives somebody a place in a workspace: the row that they have there already, or a new one. */
export function placeMember(
  { prisma, now }: UnitOfWork,
  workspaceId: bigint,
  known: { id: bigint } | undefined,
  place: Place,
) {
  const data = { ...place, updatedAt: now };
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
