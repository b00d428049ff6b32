import { useMemo } from "react";
import type { CardState } from "../store/index.ts";
import { useStore } from "./provider.ts";
import { useResource, type Offline } from "./resource.ts";

const loading: CardState = { status: "loading", card: undefined, error: undefined };
const getRendered = () => loading;

/** The state of a card, and how it is read again. */
export type CardHook = (CardState | Offline<CardState>) & {
  /** Reads the card again: after an upload, or a call of the client. */
  reload: () => Promise<void>;
};

/** Loads a card with its relations and comments, and follows it while the component is mounted. */
export function useCard(cardPublicId: string): CardHook {
  const { subscribe, get, reload } = useStore().card(cardPublicId);
  const state = useResource<CardState>({ subscribe, get, getRendered });
  return useMemo(() => ({ ...state, reload }), [state, reload]);
}
