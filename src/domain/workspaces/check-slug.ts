import { z } from "zod";
import { WorkspaceSlugInput, IsAvailable, IsReserved } from "../../contract/fields/shared.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { hasSlug } from "../../kernel/access/resolve-target.ts";
import { sql } from "../../platform/db/sql.ts";
import { isReserved } from "../slugs.ts";

const Availability = z
  .object({ isAvailable: IsAvailable, isReserved: IsReserved })
  .meta({ id: "SlugAvailability", description: "Whether a slug is available for a workspace." });

/** Returns whether a workspace slug is available. */
export const checkWorkspaceSlug = query(
  "workspace.checkSlugAvailability",
  z.strictObject({ slug: WorkspaceSlugInput }),
)
  .meta(
    rest("Workspaces").get(
      "/workspaces/check-slug-availability",
      "Check a workspace slug",
      "Returns whether a slug is available for a workspace. Slugs are unique among all " +
        "workspaces, ignoring case, and some are reserved.",
    ),
  )
  .output(Availability)
  .query(async ({ ctx: { db }, input }) => {
    const reserved = isReserved(input.slug);
    const sameSlugs = await db.query(
      sql`SELECT 1 FROM workspaces w WHERE ${hasSlug(sql`w`, input.slug)}`,
    );
    return { isAvailable: !reserved && sameSlugs.length === 0, isReserved: reserved };
  });
