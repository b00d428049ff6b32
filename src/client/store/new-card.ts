import type { Inputs } from "../router.ts";
import type { CardView } from "./types.ts";

/** A field of a card that boards show, and that a change of the card can set. */
export type Editable = Exclude<
  keyof CardView & keyof Inputs["card"]["update"],
  "index" | "isArchived" | "fields"
>;

/** The fields that a change of a card can set, as a new card has them. */
const newFields: Pick<CardView, Editable> = {
  title: "",
  dueDate: null,
  startDate: null,
  isComplete: false,
  priority: "none",
};

/** The names of the fields of a card that boards show, and that a change of the card can set. */
export const editable = Object.keys(newFields) as Editable[];

/** A card as it shows before the service has answered. */
export const newCard = (publicId: string): CardView => ({
  ...newFields,
  publicId,
  cardNumber: "",
  isArchived: false,
  version: 0,
  hasDescription: false,
  index: 0,
  claim: null,
  labels: [],
  members: [],
  checklistItems: { total: 0, completed: 0 },
  commentCount: 0,
  attachmentCount: 0,
  fields: {},
});
