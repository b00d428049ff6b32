import { useCallback, useSyncExternalStore } from "react";
import type { BoardsState } from "../store/index.ts";
import { useStore } from "./provider.ts";

const loading: BoardsState = { status: "loading", boards: [], error: undefined };

/** Opens all boards of a workspace while the component is mounted. */
export function useBoards(workspacePublicId: string): BoardsState {
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
  const get = useCallback(() => boards(workspacePublicId), [boards, workspacePublicId]);
  return useSyncExternalStore(subscribe, get, () => loading);
}
