import type { EventType } from "../../contract/events.ts";

/** A list that a card has entered. */
export type EnteredList = {
  id: bigint;
  wipLimit: number | null;
  wipMode: "off" | "warn" | "block";
};

/** A card, and who watches it at most: nobody, one user alone, or several for 0. */
export type WatchedCard = { id: bigint; watcherId: bigint | null };

/** An event that is written before its transaction commits. `data` is in its public view. */
export type PendingEvent = {
  type: EventType;
  /** The workspace of the event; undefined for that of the transaction. */
  workspaceId: bigint | undefined;
  data: Record<string, unknown>;
  changes?: Changes | undefined;
  /** Whether the history of its card shows it; the catalogue says so by default. */
  isActivity?: boolean | undefined;
  /** Whether its data already shows the state of its card. */
  isComplete?: true;
  /** The list that its card has entered, where the event shows its state already. */
  entered?: EnteredList;
  /** Its card, and who watches it; undefined where that is not known. */
  watched?: WatchedCard | undefined;
};

/** An event of a user that is written before its transaction commits. */
export type PendingUserEvent = { userId: bigint; type: string; data: Record<string, unknown> };

/** The changed fields of the main resource, in their public view. */
export type Changes = Record<string, { from: unknown; to: unknown }>;
