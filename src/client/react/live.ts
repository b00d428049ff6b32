import { useMemo } from "react";
import type { LiveData, LiveState, LiveStore, OfWorkspace } from "../store/index.ts";
import { useStore } from "./provider.ts";
import { useResource, type Offline } from "./resource.ts";

/** The state of data other than boards, and how it is read again. */
export type LiveHook<Data> = (LiveState<Data> | Offline<LiveState<Data>>) & {
  /** Reads the data again. */
  reload: () => Promise<void>;
};

/** The state of a listing, and how its next page is read. */
export type PagesHook<Data> = LiveHook<Data> & {
  /** Reads one more page; `data.hasMore` says whether there is one. */
  more: () => Promise<void>;
};

const loading = { status: "loading", data: undefined, error: undefined } as const;
const getRendered = () => loading;

function useLive<Data>({ subscribe, get, reload, more }: LiveStore<Data>): PagesHook<Data> {
  const state = useResource<LiveState<Data>>({ subscribe, get, getRendered });
  return useMemo(() => ({ ...state, reload, more }), [state, reload, more]);
}

/** The workspaces of the user, each with the user's role. */
export const useWorkspaces = (): LiveHook<LiveData["workspaces"]> =>
  useLive(useStore().live.workspaces());

/** The members of a workspace: active and invited ones. */
export const useMembers = (workspacePublicId: string): LiveHook<LiveData["members"]> =>
  useLive(useStore().live.members(workspacePublicId));

/** The notifications of the user, newest first. */
export const useNotifications = (): PagesHook<LiveData["notifications"]> =>
  useLive(useStore().live.notifications());

/** What has happened on a board, newest first. */
export const useActivity = (boardPublicId: string): PagesHook<LiveData["activity"]> =>
  useLive(useStore().live.activity(boardPublicId));

/** The views of a workspace that the user sees, by name. */
export const useViews = (workspacePublicId: string): LiveHook<LiveData["views"]> =>
  useLive(useStore().live.views(workspacePublicId));

/** The cards of a view on all its boards, or those of one of its groups. */
export const useViewCards = (view: OfWorkspace, group?: string): PagesHook<LiveData["viewCards"]> =>
  useLive(useStore().live.viewCards(view, group));

/** How many cards each group of a view has. */
export const useViewGroups = (view: OfWorkspace): LiveHook<LiveData["viewGroups"]> =>
  useLive(useStore().live.viewGroups(view));

/** What a search in a workspace finds; offline the stored cards whose titles have all words. */
export const useSearch = (
  workspacePublicId: string,
  query: string,
): PagesHook<LiveData["search"]> => useLive(useStore().live.search(workspacePublicId, query));
