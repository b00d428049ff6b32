import { useSyncExternalStore } from "react";

/** The page that the address shows: `#/board/{id}/{card}` or `#/view/{workspace}/{id}/{card}`. */
export type Route = { page: string; ids: readonly string[] };

const read = () => location.hash;

function subscribe(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}

/** The current page. */
export function useRoute(): Route {
  const [, page = "", ...ids] = useSyncExternalStore(subscribe, read).split("/");
  return { page, ids };
}

/** Whether the address asks for the sign-in. It may offer an account. */
export const asksForSignIn = (): boolean => /^#\/sign-in\b/.test(location.hash);

/** The address of a page. */
export const hrefOf = (...parts: string[]): string => `#/${parts.join("/")}`;

/** Opens a page. */
export function open(...parts: string[]): void {
  location.hash = hrefOf(...parts);
}

/** Opens a page instead of the current one, which Back does not open again. */
export function replace(...parts: string[]): void {
  location.replace(hrefOf(...parts));
}
