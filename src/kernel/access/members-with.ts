import type { Permission } from "../../contract/vocabulary/permissions.ts";
import type { Board } from "../../platform/db/rows.ts";

/** Members whose role, with their own overrides, holds a permission, as a condition. */
export const withPermission = (permission: Permission) => ({
  OR: [
    { role: { permissions: { has: permission } } },
    { overrides: { some: { permission, granted: true } } },
  ],
  NOT: { overrides: { some: { permission, granted: false } } },
});

/** Members from whom a board is not hidden, as a condition: of a restricted one those who were added to it or hold workspace:manage. */
export const visibleTo = ({ id, visibility }: Pick<Board, "id" | "visibility">) =>
  visibility === "restricted"
    ? { OR: [{ boards: { some: { boardId: id } } }, withPermission("workspace:manage")] }
    : {};
