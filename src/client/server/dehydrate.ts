import type { Board } from "../router.ts";

/** Boards that a server has read, as JSON for the browser. */
export type DehydratedState = {
  /** The boards. */
  boards: Board[];
};

type Read = {
  /** What `board.get` has answered, of one board or several. */
  board: Board | readonly Board[];
};

/** The `state` of a `StoreProvider`: its components render these boards on the server too. */
export const dehydrate = ({ board }: Read): DehydratedState => ({
  boards: [board].flat(),
});
