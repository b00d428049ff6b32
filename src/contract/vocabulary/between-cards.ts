/**
 * The events that are about two cards: only readers who see both get them, and they raise the
 * version of neither. `to` names the other card.
 */
export const betweenCards = ["relation.created", "relation.moved", "relation.deleted"] as const;

/** Whether an event is about two cards. */
export const isBetweenCards = (type: string): type is (typeof betweenCards)[number] =>
  betweenCards.some((name) => name === type);
