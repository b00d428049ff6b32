import type { Client } from "../index.ts";
import type { ConnectionState } from "./connection.ts";
import type { Caller } from "./detail.ts";
import type { Pending } from "./fields.ts";
import type { SavedBoards } from "./saved-boards.ts";
import type { BoardView, Stop } from "./types.ts";
import type { Waiting } from "./waiting.ts";

/** What a card needs of its store. */
export type CardHost = {
  client: Client;
  waiting: Waiting;
  pending(): readonly Pending[];
  saved: SavedBoards;
  /** Who comments. */
  user(): Caller | undefined;
  /** Follows a board. */
  open(boardPublicId: string): Stop;
  view(boardPublicId: string): BoardView | undefined;
  connection: ConnectionState;
};
