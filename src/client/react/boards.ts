import { useCallback } from "react";
import type { BoardsState } from "../store/index.ts";
import { useStore } from "./provider.ts";
import { useResource, type Offline } from "./resource.ts";

const loading: BoardsState = { status: "loading", boards: [], error: undefined };
const getRendered = () => loading;

/** The boards of a workspace by name. `offline`: none is stored, and the service cannot be reached. */
export type BoardsHook = BoardsState | Offline<BoardsState>;

/** Opens all boards of a workspace while the component is mounted. */
export function useBoards(workspacePublicId: string): BoardsHook {
  const { openWorkspace, onBoards, boards } = useStore();
  const subscribe = useCallback(
    (listener: () => void) => {
      const [stop, close] = [onBoards(listener), openWorkspace(workspacePublicId)];
      return () => {
        close();
        stop();
      };
    },
    [openWorkspace, onBoards, workspacePublicId],
  );
  const getBoards = useCallback(() => boards(workspacePublicId), [boards, workspacePublicId]);
  return useResource<BoardsState>({ subscribe, get: getBoards, getRendered });
}
