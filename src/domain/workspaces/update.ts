import { z } from "zod";
import {
  GivenTimeZone,
  GivenWorkspaceDescription,
  GivenWorkspaceName,
  GivenWorkspaceSlug,
  ShowEmailsToMembers,
} from "../../contract/fields/shared.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changesBetween, present } from "../../kernel/events/changes.ts";
import { sqlState } from "../../platform/db/database-errors.ts";
import { checkTimeZone } from "../../kernel/time-zones.ts";
import { rest } from "../../kernel/request/rest.ts";
import { isReserved, slugReserved, slugTaken } from "../slugs.ts";
import { showWorkspace, showWorkspaceFor } from "../shown/workspaces.ts";
import { Workspace } from "../../contract/resources/workspaces.ts";

const Update = z.strictObject({
  name: GivenWorkspaceName.optional(),
  description: GivenWorkspaceDescription.optional(),
  slug: GivenWorkspaceSlug.optional(),
  weekStartDay: z
    .int()
    .min(0)
    .max(6)
    .meta({ description: "The first day of the week: 0 is Sunday, 6 is Saturday.", examples: [1] })
    .optional(),
  timeZone: GivenTimeZone.optional(),
  cardPrefix: z
    .string()
    .regex(/^[A-Z0-9]{1,10}$/, "Must be 1 to 10 characters of A–Z and 0–9")
    .meta({
      description: "The start of card numbers: 1 to 10 characters of `A-Z0-9`.",
      examples: ["AE"],
    })
    .optional(),
  showEmailsToMembers: ShowEmailsToMembers.optional(),
});

/** Changes the given fields of a workspace. */
export const updateWorkspace = mutation("workspace.update", Update)
  .meta(
    rest("Workspaces").put(
      "/workspaces/{workspacePublicId}",
      "Update a workspace",
      "Changes the given fields of a workspace. Set the description or the time zone to `null` " +
        "to clear it.",
    ),
  )
  .output(Workspace)
  .mutation(async ({ ctx: { workspace, membership, tx }, input }) => {
    const { workspacePublicId: _, ...fields } = input;
    const givenFields = present(fields);
    const changes = changesBetween(
      showWorkspace(workspace),
      showWorkspace({ ...workspace, ...givenFields }),
    );
    if (changes["slug"] !== undefined && isReserved(givenFields.slug ?? "")) {
      throw slugReserved(givenFields.slug);
    }
    if (Object.keys(changes).length === 0) return showWorkspaceFor(membership, workspace);
    await checkTimeZone(tx.query, givenFields.timeZone);
    const after = await tx.prisma.workspace
      .update({
        where: { id: workspace.id },
        data: { ...givenFields, version: { increment: 1 }, updatedAt: tx.now },
      })
      .catch((error: unknown) => {
        throw sqlState(error) === "23505" ? slugTaken(givenFields.slug) : error;
      });
    tx.emit("workspace.updated", { workspace: showWorkspace(after) }, changes);
    return showWorkspaceFor(membership, after);
  });
