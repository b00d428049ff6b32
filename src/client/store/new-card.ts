import type { CardView } from "./types.ts";

/** A card as it shows before the service has answered. */
export const newCard = (publicId: string): CardView => ({
  publicId,
  title: "",
  cardNumber: "",
  dueDate: null,
  startDate: null,
  isComplete: false,
  isArchived: false,
  version: 0,
  hasDescription: false,
  index: 0,
  labels: [],
  members: [],
  checklistItems: { total: 0, completed: 0 },
  commentCount: 0,
  attachmentCount: 0,
});
