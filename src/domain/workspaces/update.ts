import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changesBetween, present } from "../../kernel/events/changes.ts";
import { sqlState } from "../../platform/db/database-errors.ts";
import { checkTimeZone } from "../../kernel/time-zones.ts";
import { TimeZone } from "../../contract/vocabulary/time-zone.ts";
import { name, Slug, text } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { isReserved, slugReserved, slugTaken } from "../slugs.ts";
import { viewWorkspace, viewWorkspaceFor } from "../views/workspaces.ts";
import { Workspace } from "../../contract/resources/workspaces.ts";

const Update = z.strictObject({
  name: name(1, 64).optional(),
  description: text(0, 280).nullable().optional(),
  slug: Slug.optional(),
  weekStartDay: z.int().min(0).max(6).optional(),
  timeZone: TimeZone.nullable().optional(),
  cardPrefix: z
    .string()
    .regex(/^[A-Z0-9]{1,10}$/, "Must be 1 to 10 characters of A–Z and 0–9")
    .optional(),
  showEmailsToMembers: z.boolean().optional(),
});

/** Changes the given fields of a workspace. */
export const updateWorkspace = mutation("workspace.update", Update)
  .meta(
    rest("Workspaces").put(
      "/workspaces/{workspacePublicId}",
      "Update a workspace",
      "Changes the given fields of a workspace. `null` clears the description or the time zone.",
    ),
  )
  .output(Workspace)
  .mutation(async ({ ctx: { workspace, membership, tx }, input }) => {
    const { workspacePublicId: _, ...fields } = input;
    const given = present(fields);
    const changes = changesBetween(
      viewWorkspace(workspace),
      viewWorkspace({ ...workspace, ...given }),
    );
    if (changes["slug"] !== undefined && isReserved(given.slug ?? "")) {
      throw slugReserved(given.slug);
    }
    if (Object.keys(changes).length === 0) return viewWorkspaceFor(membership, workspace);
    await checkTimeZone(tx.query, given.timeZone);
    const after = await tx.prisma.workspace
      .update({
        where: { id: workspace.id },
        data: { ...given, version: { increment: 1 }, updatedAt: tx.now },
      })
      .catch((error: unknown) => {
        throw sqlState(error) === "23505" ? slugTaken(given.slug) : error;
      });
    tx.emit("workspace.updated", { workspace: viewWorkspace(after) }, changes);
    return viewWorkspaceFor(membership, after);
  });
