import type { BoardServiceError } from "../errors.ts";
import type { FollowedEvent } from "../events.ts";
import type { BoardCopy } from "./copy.ts";
import type { ConnectionState } from "./connection.ts";
import type { BoardView, Stop } from "./types.ts";

/** What the copies inform their store of. */
export type ReplicaHandlers = {
  /** A board has another base: show it again. */
  onChange(copy: BoardCopy): void;
  /** A board is shown. */
  onShown(this: void, board: BoardView): void;
  /** An event has arrived: `apply` changes the copies. */
  onEvent(event: FollowedEvent, apply: () => void): void;
  /** Events of a workspace before now may be missing. */
  onGap(workspacePublicId: string): void;
  /** Events of a workspace are lost: its boards are read again. */
  onReadAgain(workspacePublicId: string): void;
  /** The log of a board may be that of a backup: earlier orders say nothing. */
  onLogLost(boardPublicId: string): void;
  /** Whether a board is still to be created: the service does not have it yet. */
  isCreating(boardPublicId: string): Promise<boolean>;
  /** A board can no longer be seen. */
  onDenied(boardPublicId: string, error: BoardServiceError): void;
  onConnection: (state: "live" | "polling" | "lost") => void;
  /** What requests say about the connection. */
  connection: ConnectionState;
};

/** A workspace whose boards are all open, and how each is closed. */
export type OpenWorkspace = {
  stops: Map<string, Stop>;
  error: BoardServiceError | undefined;
  /** Stores soon how far its feed has come. */
  save: () => void;
  /** Reads which boards it has. */
  read: () => void;
};
