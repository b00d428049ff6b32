import type { Caller } from "../../kernel/access/callers.ts";
import { systemRoles } from "../../contract/vocabulary/permissions.ts";
import { publicId } from "../../platform/db/public-id.ts";
import type { Workspace } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";

/** The columns of a new workspace. */
type NewWorkspace = Pick<Workspace, "name" | "description" | "cardPrefix"> &
  Partial<
    Pick<
      Workspace,
      | "publicId"
      | "weekStartDay"
      | "timeZone"
      | "showEmailsToMembers"
      | "lastCardNumber"
      | "deletedAt"
    >
  >;

/** Inserts a workspace with the first free slug. Null when all slugs are in use. */
export async function insertWorkspace(
  { prisma, now }: Pick<UnitOfWork, "prisma" | "now">,
  fields: NewWorkspace,
  slugs: string[],
  createdById: bigint,
): Promise<Workspace | null> {
  for (const slug of slugs) {
    const data = {
      publicId: publicId(),
      ...fields,
      slug,
      createdById,
      createdAt: now,
      updatedAt: now,
    };
    const [workspace] = await prisma.workspace.createManyAndReturn({
      data,
      skipDuplicates: true,
    });
    if (workspace !== undefined) return workspace;
  }
  return null;
}

/** Inserts the three system roles of a workspace and its first admin. */
export async function insertFounder(
  { prisma, now }: Pick<UnitOfWork, "prisma" | "now">,
  workspaceId: bigint,
  { userId, email }: Pick<Caller, "userId" | "email">,
  memberPublicId = publicId(),
): Promise<void> {
  const roles = await prisma.role.createManyAndReturn({
    data: Object.entries(systemRoles).map(([role, { level, description, permissions }]) => ({
      publicId: publicId(),
      workspaceId,
      name: role,
      description,
      hierarchyLevel: level,
      isSystem: true,
      permissions: [...permissions],
    })),
    select: { id: true, name: true },
  });
  await prisma.member.createMany({
    data: roles
      .filter((role) => role.name === "admin")
      .map((role) => ({
        publicId: memberPublicId,
        workspaceId,
        userId,
        email,
        roleId: role.id,
        status: "active",
        createdAt: now,
        joinedAt: now,
      })),
  });
}
