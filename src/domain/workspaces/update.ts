import { z } from "zod";
import {
  TimeZoneInput,
  WorkspaceDescriptionInput,
  WorkspaceNameInput,
  WorkspaceSlugInput,
  RequiresSecondFactor,
  ShowEmailsToMembers,
} from "../../contract/fields/shared.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changesBetween, present } from "../../kernel/events/changes.ts";
import { sqlState } from "../../platform/db/database-errors.ts";
import { checkTimeZone } from "../../kernel/time-zones.ts";
import { requireFactor } from "../../kernel/access/second-factor.ts";
import { missingPermission } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { isReserved, slugReserved, slugTaken } from "../slugs.ts";
import { showWorkspace, showWorkspaceFor } from "../presenters/workspaces.ts";
import { Workspace } from "../../contract/resources/workspaces.ts";

const Update = z.strictObject({
  name: WorkspaceNameInput.optional(),
  description: WorkspaceDescriptionInput.optional(),
  slug: WorkspaceSlugInput.optional(),
  weekStartDay: z
    .int()
    .min(0)
    .max(6)
    .meta({ description: "The first day of the week: 0 is Sunday, 6 is Saturday.", examples: [1] })
    .optional(),
  timeZone: TimeZoneInput.optional(),
  cardPrefix: z
    .string()
    .regex(/^[A-Z0-9]{1,10}$/, "Must be 1 to 10 characters of A–Z and 0–9")
    .meta({
      description: "The start of card numbers: 1 to 10 characters of `A-Z0-9`.",
      examples: ["AE"],
    })
    .optional(),
  showEmailsToMembers: ShowEmailsToMembers.optional(),
  requiresSecondFactor: RequiresSecondFactor.optional(),
});

/** Changes the given fields of a workspace. */
export const updateWorkspace = mutation("workspace.update", Update)
  .meta(
    rest("Workspaces").put(
      "/workspaces/{workspacePublicId}",
      "Update a workspace",
      "Changes the given fields of a workspace. Set the description or the time zone to `null` " +
        "to clear it. `requiresSecondFactor` requires `workspace:manage`; only a caller with a " +
        "second factor can turn it on. From then on, everything in the workspace is 403 " +
        "(`second_factor_missing`) for people without one, and for their keys and apps.",
    ),
  )
  .output(Workspace)
  .mutation(async ({ ctx: { caller, workspace, membership, tx }, input }) => {
    const { workspacePublicId: _, ...fields } = input;
    const fieldsInput = present(fields);
    const changes = changesBetween(
      showWorkspace(workspace),
      showWorkspace({ ...workspace, ...fieldsInput }),
    );
    if (changes["slug"] !== undefined && isReserved(fieldsInput.slug ?? "")) {
      throw slugReserved(fieldsInput.slug);
    }
    if (changes["requiresSecondFactor"] !== undefined) {
      if (!membership.may.has("workspace:manage")) throw missingPermission("workspace:manage");
      if (fieldsInput.requiresSecondFactor === true) requireFactor(caller);
    }
    if (Object.keys(changes).length === 0) return showWorkspaceFor(membership, workspace);
    await checkTimeZone(tx.query, fieldsInput.timeZone);
    const after = await tx.prisma.workspace
      .update({
        where: { id: workspace.id },
        data: { ...fieldsInput, version: { increment: 1 }, updatedAt: tx.now },
      })
      .catch((error: unknown) => {
        throw sqlState(error) === "23505" ? slugTaken(fieldsInput.slug) : error;
      });
    tx.emit("workspace.updated", { workspace: showWorkspace(after) }, changes);
    return showWorkspaceFor(membership, after);
  });
