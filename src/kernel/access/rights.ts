import { effective, type Permission } from "../../contract/vocabulary/permissions.ts";
import type { MembershipRow } from "./resolve-target.ts";

/** The permissions of a membership: those of its role, with the member's overrides. */
export function rightsOf({ rolePermissions, overrides }: MembershipRow): readonly Permission[] {
  const ofRole = permissionsIn(rolePermissions);
  return overrides.length === 0
    ? ofRole
    : effective(
        ofRole,
        overrides.map((text) => ({ permission: text.slice(1), granted: text.startsWith("+") })),
      );
}

const parsed = new Map<string, readonly Permission[]>();
const mostParsed = 1_000;

/** The permissions in a text with commas, in the order of the vocabulary. */
function permissionsIn(text: string): readonly Permission[] {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const found = effective(text.split(","), []);
  if (parsed.size >= mostParsed) parsed.clear();
  parsed.set(text, found);
  return found;
}
