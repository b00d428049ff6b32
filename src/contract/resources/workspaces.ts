import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

const Plan = z.enum(["free", "team", "pro", "enterprise"]);

/** A workspace as its creation returns it. */
export const NewWorkspace = viewedWith(
  "workspace:view",
  z
    .object({
      publicId: z.string(),
      name: z.string(),
      slug: z.string(),
      description: z.string().nullable(),
      plan: Plan,
      cardPrefix: z.string(),
    })
    .meta({ id: "NewWorkspace" }),
);

/** A workspace in the caller's list. */
export const WorkspaceEntry = viewedWith(
  "workspace:view",
  z
    .object({
      role: z.string(),
      workspace: z.object({
        publicId: z.string(),
        name: z.string(),
        description: z.string().nullable(),
        slug: z.string(),
        weekStartDay: z.int(),
        cardPrefix: z.string(),
        deletedAt: Timestamp.nullable(),
      }),
    })
    .meta({ id: "WorkspaceEntry" }),
);

/** The fields of a workspace. `weekStartDay` 0 is Sunday. */
export const WorkspaceInfo = viewedWith(
  "workspace:view",
  NewWorkspace.extend({
    weekStartDay: z.int(),
    timeZone: z.string().nullable(),
    showEmailsToMembers: z.boolean(),
    version: z.int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    deletedAt: Timestamp.nullable(),
  }).meta({ id: "WorkspaceInfo" }),
);

/** A workspace with the caller's role and permissions. */
export const Workspace = viewedWith(
  "workspace:view",
  WorkspaceInfo.extend({
    role: z.string(),
    memberPublicId: z.string(),
    permissions: z.array(z.string()),
  }).meta({ id: "Workspace" }),
);
