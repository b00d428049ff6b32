import { useSyncExternalStore } from "react";
import { useSession, useStore } from "@workspace-board-service/client/react";

/** The signed-in user: of the session until the profile is read. */
export function useUser() {
  const { user } = useSession();
  const { subscribe, get, reload } = useStore().live.user();
  const { data } = useSyncExternalStore(subscribe, get);
  return { user: data ?? user, reload };
}
