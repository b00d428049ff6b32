import type { Role } from "@workspace-board-service/client";
import { boards } from "../base/service.ts";
import { useQuery } from "../base/use-query.ts";

/** The roles of a workspace, from the one with all permissions downwards. */
export function useRoles(workspacePublicId: string) {
  const { data, error, reload } = useQuery(`roles ${workspacePublicId}`, (signal) =>
    boards.role.list({ workspacePublicId }, { signal }),
  );
  const roles: readonly Role[] = data ?? [];
  return { roles, error, reload };
}
