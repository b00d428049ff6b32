import type { Caller } from "../../kernel/access/callers.ts";
import type { Membership } from "../../kernel/access/authorize.ts";
import type { Import } from "../../platform/db/rows.ts";
import { forbidden } from "../../platform/errors.ts";

type On = { import: Import; caller: Caller; membership: Membership };

/** 403 unless the caller started the import, or manages the workspace: it tells what was on boards that are not everybody's. */
export function checkMine({ import: row, caller, membership }: On): void {
  if (row.createdById === caller.userId || membership.may.has("workspace:manage")) return;
  throw forbidden("Only whoever started an import, or manages the workspace, may do this.");
}
