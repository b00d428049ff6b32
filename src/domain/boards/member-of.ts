import type { z } from "zod";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import { memberSelect } from "../views/member-select.ts";
import { viewMember } from "../views/members.ts";
import type { MemberRef } from "../../contract/resources/members.ts";

/** A member of a workspace by public id, with what events show of them; 404 for one of another workspace. */
export async function memberOf(
  { prisma }: UnitOfWork,
  workspaceId: bigint,
  publicId: string,
  { removed = false } = {},
): Promise<{ id: bigint; ref: z.infer<typeof MemberRef> }> {
  const row = await prisma.member.findFirst({
    where: { publicId, workspaceId, ...(removed ? {} : { status: { not: "removed" } }) },
    select: memberSelect,
  });
  if (row === null) throw notFound("member");
  const { name, image } = viewMember(row, false);
  return { id: row.id, ref: { publicId, name, image } };
}
