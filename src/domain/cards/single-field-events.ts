/** The types of events of a card that report the change of one field. */
export const singleFieldEvents = {
  isArchived: { true: "card.archived", false: "card.unarchived" },
  isComplete: { true: "card.completed" },
} as const;

/** The date of an input: null clears it, undefined leaves it. */
export const dateOf = (moment: string | null | undefined) =>
  typeof moment === "string" ? new Date(moment) : moment;
