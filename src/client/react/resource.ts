import { useMemo, useSyncExternalStore } from "react";
import type { Stop } from "../store/index.ts";
import { useStore } from "./provider.ts";

/** The state of a resource that is not stored, while the service cannot be reached. */
export type Offline<State> = State extends { readonly status: "loading" }
  ? Omit<State, "status"> & { readonly status: "offline" }
  : never;

type Source<State> = {
  subscribe: (listener: () => void) => Stop;
  get: () => State;
  getRendered: () => State;
};

/** Follows a resource while the component is mounted. */
export function useResource<State extends { readonly status: string }>({
  subscribe,
  get,
  getRendered,
}: Source<State>): State | Offline<State> {
  const state = useSyncExternalStore(subscribe, get, getRendered);
  const { onConnection, connection } = useStore();
  const isLoading = state.status === "loading";
  const isOffline = useSyncExternalStore(
    onConnection,
    () => isLoading && connection() === "offline",
    () => false,
  );
  return useMemo(() => {
    if (!isOffline) return state;
    const offline: unknown = { ...state, status: "offline" };
    return offline as Offline<State>;
  }, [state, isOffline]);
}
