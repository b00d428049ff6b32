import type { Board } from "../router.ts";

/** Boards that a server has read, as JSON for the browser. */
export type DehydratedState = { boards: Board[] };

/** The `state` of a `StoreProvider`: its components render these boards on the server too. */
export const dehydrate = ({ board }: { board: Board | readonly Board[] }): DehydratedState => ({
  boards: [board].flat(),
});
