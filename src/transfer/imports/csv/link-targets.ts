import { seenKinds, type RelationKind } from "../../../contract/vocabulary/relation-kinds.ts";

/** What a column can say that a card is to others, as the card sees it; parents have their own. */
export type LinkTarget = Exclude<RelationKind, "parent" | "child">;

/** Whether a column says what cards are to others. */
export const isLinkTarget = (name: string): name is LinkTarget =>
  linkTargets.some((target) => target === name);

/** The columns that say it. */
export const linkTargets = seenKinds.filter((kind) => kind !== "parent" && kind !== "child");
