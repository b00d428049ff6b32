/** How urgent a card can be, the least first. Filters use it without zod. */
export const cardPriorities = ["none", "low", "medium", "high", "urgent"] as const;
