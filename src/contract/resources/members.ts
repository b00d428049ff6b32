import { z } from "zod";
import { Success, Timestamp, PublicId } from "../vocabulary/fields.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";
import type { Part } from "../fields/part.ts";

/** A reference to a member. */
export const MemberRef = z
  .object({ publicId: z.string(), name: z.string(), image: z.string().nullable() })
  .meta({ id: "MemberRef" });

/** A member. `email` is null when the caller may not see it. */
export const Member = viewedWith(
  "member:view",
  MemberRef.extend({
    email: z.string().nullable(),
    role: z.string(),
    rolePublicId: z.string(),
    status: z.enum(["invited", "active", "removed"]),
    version: z.int(),
    createdAt: Timestamp,
    joinedAt: Timestamp.nullable(),
  }).meta({ id: "Member" }),
);

/** A member with the workspace. */
export const MemberDetail = viewedWith(
  "member:view",
  Member.extend({ workspacePublicId: z.string() }).meta({ id: "MemberDetail" }),
);

/** A member's role, effective permissions and overrides. */
export const MemberPermissions = viewedWith(
  "member:view",
  z
    .object({
      memberPublicId: z.string(),
      role: z.string(),
      permissions: z.array(z.string()),
      overrides: z.array(z.object({ permission: z.string(), granted: z.boolean() })),
    })
    .meta({ id: "MemberPermissions" }),
);

/** The permissions of a member after a change, with the workspace and the member's version. */
export const ChangedPermissions = viewedWith(
  "member:view",
  MemberPermissions.extend({
    ...Success.shape,
    workspacePublicId: z.string(),
    version: z.int(),
  }).meta({ id: "ChangedPermissions" }),
);

/** The members who are assigned to a card. */
export const membersPart = {
  tables: { card_members: {}, imported_assignments: {} },
  summary: { members: z.array(MemberRef) },
  detail: { members: z.array(MemberRef) },
  stored: { memberPublicIds: z.array(PublicId) },
  copied: { by: "withMembers", also: "copyMembers", isDefault: false },
} as const satisfies Part;
