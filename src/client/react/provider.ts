import {
  createContext,
  createElement,
  useContext,
  useMemo,
  type ReactElement,
  type ReactNode,
} from "react";
import type { Store } from "../store/index.ts";

const StoreContext = createContext<Store | undefined>(undefined);

type Props = {
  /** Made with `createStore`. */
  store: Store;
  /** What a server has read: made with `dehydrate` of `@workspace-board-service/client/server`. */
  state?: Parameters<Store["hydrate"]>[0];
  /** The components inside. */
  children?: ReactNode;
};

/** Makes a store available to all components inside. */
export function StoreProvider({ store, state, children }: Props): ReactElement {
  // Before the first component inside reads it.
  useMemo(() => state && store.hydrate(state), [store, state]);
  return createElement(StoreContext.Provider, { value: store }, children);
}

/** The store of the nearest provider. */
export function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error("useStore needs a StoreProvider around the component.");
  return store;
}
