import { useMembers as useAllMembers } from "@workspace-board-service/client/react";
import { boards } from "./service.ts";
import { useQuery } from "./use-query.ts";

/** What the user may do in a workspace. Until it is known, everything is offered. */
export function useWorkspace(workspacePublicId: string) {
  const { data } = useQuery(`workspace ${workspacePublicId}`, (signal) =>
    boards.workspace.get({ workspacePublicId }, { signal }),
  );
  const permissions: readonly string[] | undefined = data?.permissions;
  const may = (permission: string) => permissions?.includes(permission) ?? true;
  return { memberPublicId: data?.memberPublicId, may };
}

/** The members of a workspace who have accepted their invitation. */
export const useMembers = (workspacePublicId: string) =>
  useAllMembers(workspacePublicId).data?.filter(({ status }) => status === "active");
