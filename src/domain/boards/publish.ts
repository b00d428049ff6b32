import type { Permission } from "../../contract/vocabulary/permissions.ts";
import type { Board } from "../../platform/db/rows.ts";
import { forbidden } from "../../platform/errors.ts";

/** A public board needs board:edit from the caller who makes it public; creators need it too. */
export function checkPublishing(
  { may }: { may: ReadonlySet<Permission> },
  visibility: Board["visibility"] | undefined,
): void {
  if (visibility === "public" && !may.has("board:edit")) throw forbidden("board:edit");
}
