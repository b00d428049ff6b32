import type { Permission } from "../../contract/vocabulary/permissions.ts";
import type { Board } from "../../platform/db/rows.ts";
import { missingPermission } from "../../platform/errors.ts";

/** The permissions to view what a public board shows: its publisher must hold them. */
const viewPermissions = ["board:view", "list:view", "card:view", "comment:view"] as const;

/**
 * 403 unless the caller may make a board public.
 *
 * It needs board:edit, also from creators, and the permissions to view what everyone then reads.
 */
export function checkPublishing(
  { may }: { may: ReadonlySet<Permission> },
  visibility: Board["visibility"] | undefined,
): void {
  if (visibility !== "public") return;
  const missing = ["board:edit" as const, ...viewPermissions].find(
    (permission) => !may.has(permission),
  );
  if (missing !== undefined) throw missingPermission(missing);
}

/** A copy of a restricted board with another visibility needs board:edit. */
export function checkCopyVisibility(
  { may }: { may: ReadonlySet<Permission> },
  source: Pick<Board, "visibility">,
  visibility: Board["visibility"] | undefined,
): void {
  const opens = source.visibility === "restricted" && (visibility ?? "restricted") !== "restricted";
  if (opens && !may.has("board:edit")) throw missingPermission("board:edit");
}
