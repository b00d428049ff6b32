import { useMemo, useSyncExternalStore } from "react";
import type { CardState } from "../store/index.ts";
import { useStore } from "./provider.ts";

const loading: CardState = { status: "loading", card: undefined, error: undefined };

/** Loads a card with its relations and comments, and follows it while the component is mounted. */
export function useCard(cardPublicId: string): CardState & { reload(): Promise<void> } {
  const { subscribe, get, reload } = useStore().card(cardPublicId);
  const state = useSyncExternalStore(subscribe, get, () => loading);
  return useMemo(() => ({ ...state, reload }), [state, reload]);
}
