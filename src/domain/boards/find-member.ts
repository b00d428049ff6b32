import type { z } from "zod";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import { memberSelect } from "../views/member-select.ts";
import { viewMember } from "../views/members.ts";
import type { MemberRef } from "../../contract/resources/members.ts";

/** Finds a member of a workspace by public id, or 404; `ref` is the view that events show. */
export async function findMember(
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
