import { z } from "zod";
import {
  CardPrefix,
  CreatedAt,
  DeletedAt,
  RequiresSecondFactor,
  ShowEmailsToMembers,
  UpdatedAt,
  Version,
  WeekStartDay,
  WorkspaceDescription,
  WorkspaceName,
  WorkspaceRole,
  WorkspaceSlug,
} from "../fields/shared.ts";
import { idOf } from "../vocabulary/ids.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

const Plan = z
  .enum(["free", "team", "pro", "enterprise"])
  .meta({ id: "Plan", description: "The plan of a workspace." });

/** A workspace as its creation returns it. */
export const NewWorkspace = viewedWith(
  "workspace:view",
  z
    .object({
      publicId: idOf("workspace"),
      name: WorkspaceName,
      slug: WorkspaceSlug,
      description: WorkspaceDescription,
      plan: Plan,
      cardPrefix: CardPrefix,
    })
    .meta({ id: "NewWorkspace", description: "A new workspace." }),
);

/** A workspace in the caller's list. */
export const WorkspaceEntry = viewedWith(
  "workspace:view",
  z
    .object({
      role: WorkspaceRole,
      workspace: z
        .object({
          publicId: idOf("workspace"),
          name: WorkspaceName,
          description: WorkspaceDescription,
          slug: WorkspaceSlug,
          weekStartDay: WeekStartDay,
          cardPrefix: CardPrefix,
          deletedAt: DeletedAt,
        })
        .meta({ description: "The workspace." }),
    })
    .meta({ id: "WorkspaceEntry", description: "A workspace in the caller's list." }),
);

/** The fields of a workspace. `weekStartDay` 0 is Sunday. */
export const WorkspaceInfo = viewedWith(
  "workspace:view",
  NewWorkspace.extend({
    weekStartDay: WeekStartDay,
    timeZone: z
      .string()
      .nullable()
      .meta({
        description: "The time zone in which days begin. Null for UTC.",
        examples: ["Europe/Berlin"],
      }),
    showEmailsToMembers: ShowEmailsToMembers,
    requiresSecondFactor: RequiresSecondFactor,
    version: Version,
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    deletedAt: DeletedAt,
  }).meta({ id: "WorkspaceInfo", description: "The fields of a workspace." }),
);

/** A workspace with the caller's role and permissions. */
export const Workspace = viewedWith(
  "workspace:view",
  WorkspaceInfo.extend({
    role: WorkspaceRole,
    memberPublicId: idOf("member", "Public id of the caller as a member."),
    permissions: z.array(z.string()).meta({
      description: "The permissions of the caller.",
      examples: [["board:view", "list:view", "card:view", "card:edit"]],
    }),
  }).meta({ id: "Workspace", description: "A workspace with the caller's role and permissions." }),
);
