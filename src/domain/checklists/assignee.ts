import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";

/** Who does an item. */
export type Assigned = { memberId: bigint | null; memberPublicId: string | null };

/** The member that an item has, by their public id. */
export async function assigneeOf(
  tx: UnitOfWork,
  id: bigint | null,
): Promise<Pick<Assigned, "memberPublicId">> {
  if (id === null) return { memberPublicId: null };
  const { publicId } = await tx.prisma.member.findUniqueOrThrow({ where: { id } });
  return { memberPublicId: publicId };
}

/** The member that an input names; undefined when it names none, 404 when there is none such in the workspace. */
export async function wantedAssignee(
  tx: UnitOfWork,
  workspaceId: bigint,
  publicId: string | null | undefined,
): Promise<Assigned | undefined> {
  if (publicId === undefined) return undefined;
  if (publicId === null) return { memberId: null, memberPublicId: null };
  const member = await tx.prisma.member.findFirst({
    where: { publicId, workspaceId, status: { not: "removed" } },
  });
  if (member === null) throw notFound("member");
  return { memberId: member.id, memberPublicId: member.publicId };
}
