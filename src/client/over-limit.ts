type Limited = { wipLimit: number | null; wipMode: "off" | "warn" | "block" };

/** By how many cards a list with a number of them exceeds its limit. */
export const overLimit = ({ wipLimit, wipMode }: Limited, cards: number): number =>
  wipLimit === null || wipMode === "off" ? 0 : Math.max(cards - wipLimit, 0);
