import { useSyncExternalStore } from "react";

/**
 * The page that the address shows: `#/board/{id}/{card}` or `#/view/{workspace}/{id}/{card}`. The
 * filter of a board is behind it, as in `#/board/{id}?text=gam`.
 */
export type Route = { page: string; ids: readonly string[]; query: string };

const listeners = new Set<() => void>();
const read = () => location.hash;
const parts = (): [path: string, query: string] => {
  const [path = "", ...query] = location.hash.split("?");
  return [path, query.join("?")];
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("hashchange", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("hashchange", listener);
  };
}

/** The current page. */
export function useRoute(): Route {
  useSyncExternalStore(subscribe, read);
  const [path, query] = parts();
  const [, page = "", ...ids] = path.split("/");
  return { page, ids, query };
}

/** Changes the query of the address at once, without an entry of the history. */
export function replaceQuery(query: string): void {
  const [path] = parts();
  history.replaceState(history.state, "", query === "" ? path : `${path}?${query}`);
  for (const listener of listeners) listener();
}

/** Whether the address asks for the sign-in. It may offer an account. */
export const asksForSignIn = (): boolean => /^#\/sign-in\b/.test(location.hash);

/** The address of a page. */
export const hrefOf = (...path: string[]): string => `#/${path.join("/")}`;

/** The address of a page with the query of the current one: a card is opened within its filter. */
export function hrefWithin(...path: string[]): string {
  const [, query] = parts();
  return query === "" ? hrefOf(...path) : `${hrefOf(...path)}?${query}`;
}

/** Opens a page. */
export function open(...path: string[]): void {
  location.hash = hrefOf(...path);
}

/** Opens a page instead of the current one, which Back does not open again. */
export function replace(...path: string[]): void {
  location.replace(hrefOf(...path));
}

/** Replaces the current page by one with the same query. */
export function replaceWithin(...path: string[]): void {
  location.replace(hrefWithin(...path));
}
