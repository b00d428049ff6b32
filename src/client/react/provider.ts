import { createContext, createElement, useContext, type ReactElement, type ReactNode } from "react";
import type { Store } from "../store/index.ts";

const StoreContext = createContext<Store | undefined>(undefined);

/** Makes a store available to all components inside. */
export const StoreProvider = (props: { store: Store; children?: ReactNode }): ReactElement =>
  createElement(StoreContext.Provider, { value: props.store }, props.children);

/** The store of the nearest provider. */
export function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error("useStore needs a StoreProvider around the component.");
  return store;
}
