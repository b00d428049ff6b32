import { z } from "zod";
import {
  CreatedAt,
  Granted,
  MemberName,
  MemberRole,
  PermissionText,
  Permissions,
  Picture,
  Version,
} from "../fields/shared.ts";
import { idOf } from "../vocabulary/ids.ts";
import { Success, Timestamp, PublicId } from "../vocabulary/texts.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";
import type { Part } from "../fields/part.ts";

/** Whether a member has joined. */
export const MemberStatus = z.enum(["invited", "active", "removed"]).meta({
  id: "MemberStatus",
  description: "Only active members have permissions.",
  examples: ["active"],
});

/** A reference to a member. */
export const MemberRef = z
  .object({ publicId: idOf("member"), name: MemberName, image: Picture })
  .meta({ id: "MemberRef", description: "The id, name and picture of a member." });

/** A member. `email` is null when the caller may not see it. */
export const Member = viewedWith(
  "member:view",
  MemberRef.extend({
    email: z
      .string()
      .nullable()
      .meta({
        description: "The email address. Spaces around it and case are ignored.",
        examples: ["ada@example.com"],
      }),
    role: MemberRole,
    rolePublicId: idOf("role"),
    status: MemberStatus,
    isService: z.boolean().meta({
      description: "Whether it is a service account: a program's, which does not sign in.",
      examples: [false],
    }),
    version: Version,
    createdAt: CreatedAt,
    joinedAt: Timestamp.nullable().meta({
      description: "When the member accepted the invitation, in UTC. Null until then.",
      examples: ["2026-01-31T10:00:00.000Z"],
    }),
  }).meta({ id: "Member", description: "A member of a workspace." }),
);

/** A member with the workspace. */
export const MemberDetail = viewedWith(
  "member:view",
  Member.extend({ workspacePublicId: idOf("workspace") }).meta({
    id: "MemberDetail",
    description: "A member with the workspace.",
  }),
);

/** A member's role, effective permissions and overrides. */
export const MemberPermissions = viewedWith(
  "member:view",
  z
    .object({
      memberPublicId: idOf("member"),
      role: MemberRole,
      permissions: Permissions,
      overrides: z
        .array(z.object({ permission: PermissionText, granted: Granted }))
        .meta({ description: "The permissions in which the member differs from the role." }),
    })
    .meta({
      id: "MemberPermissions",
      description: "The role of a member, and the resulting permissions.",
    }),
);

/** The permissions of a member after a change, with the workspace and the member's version. */
export const ChangedPermissions = viewedWith(
  "member:view",
  MemberPermissions.extend({
    ...Success.shape,
    workspacePublicId: idOf("workspace"),
    version: Version,
  }).meta({ id: "ChangedPermissions", description: "The permissions of a member after a change." }),
);

/** The members who are assigned to a card. */
export const membersPart = {
  tables: { card_members: {}, imported_assignments: {} },
  summary: { members: z.array(MemberRef).meta({ description: "The assigned members." }) },
  detail: { members: z.array(MemberRef).meta({ description: "The assigned members." }) },
  stored: { memberPublicIds: z.array(PublicId) },
  copied: { what: "the assignments", by: "withMembers", also: "copyMembers", isDefault: false },
} as const satisfies Part;
