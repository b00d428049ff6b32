import type { Membership } from "../../kernel/access/authorize.ts";
import type { Caller } from "../../kernel/access/callers.ts";
import type { Import } from "../../platform/db/rows.ts";
import { forbidden } from "../../platform/errors.ts";

type Context = { import: Import; caller: Caller; membership: Membership };

/** 403 unless the caller started the import or holds `workspace:manage`. */
export function checkImportAccess({ import: row, caller, membership }: Context): void {
  if (row.createdById === caller.userId || membership.may.has("workspace:manage")) return;
  throw forbidden(
    "not_import_starter",
    "Only the member who started the import, or one with workspace:manage, may do this.",
  );
}
