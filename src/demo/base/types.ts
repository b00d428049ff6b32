import type { BoardView } from "@workspace-board-service/client/store";

/** A list of the board, with its cards. */
export type List = BoardView["lists"][number];
/** A card as its list shows it. */
export type Card = List["cards"][number];
/** A custom field of a board. */
export type Field = BoardView["fields"][number];
/** The value of a custom field on a card. */
export type FieldValue = Card["fields"][string];
/** The fields of a card that the board and the card's dialog show. */
export type CardSummary = Pick<
  Card,
  | "publicId"
  | "title"
  | "cardNumber"
  | "dueDate"
  | "isDueAllDay"
  | "isComplete"
  | "priority"
  | "labels"
  | "members"
  | "fields"
> & { listPublicId: string };
/** Where a card goes: before another card, or at the end of the list. */
export type Target = { list: string; before: string | undefined };
