import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";

/** The member who is assigned to a checklist item. */
export type Assignee = { memberId: bigint | null; memberPublicId: string | null };

/** The public id of the member with an id. */
export async function assigneeOf(
  tx: UnitOfWork,
  id: bigint | null,
): Promise<Pick<Assignee, "memberPublicId">> {
  if (id === null) return { memberPublicId: null };
  const { publicId } = await tx.prisma.member.findUniqueOrThrow({ where: { id } });
  return { memberPublicId: publicId };
}

/** Finds the member that an input assigns, or 404; undefined when the input has no member. */
export async function findAssignee(
  tx: UnitOfWork,
  workspaceId: bigint,
  publicId: string | null | undefined,
): Promise<Assignee | undefined> {
  if (publicId === undefined) return undefined;
  if (publicId === null) return { memberId: null, memberPublicId: null };
  const member = await tx.prisma.member.findFirst({
    where: { publicId, workspaceId, status: { not: "removed" } },
  });
  if (member === null) throw notFound("member");
  return { memberId: member.id, memberPublicId: member.publicId };
}
