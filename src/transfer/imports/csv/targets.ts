import { cardFields } from "../../../contract/fields/card.ts";
import { fieldsIn, type ColumnsIn } from "../../../contract/fields/field.ts";
import { linkTargets } from "./link-targets.ts";

/** What a column of a file can be, beside the fields of cards. */
const otherTargets = [
  "list",
  "labels",
  "members",
  "archivedAt",
  "createdAt",
  "updatedAt",
  "id",
  "parent",
  "comments",
  "attachments",
  "checklist",
] as const;

/** What a column of a file can be. */
export type Target = ColumnsIn<typeof cardFields, "csv"> | (typeof otherTargets)[number];

/**
 * What only profiles name: a state that may be a finished one, another id that parents are named
 * by, whether the items of a checklist beside it are complete, and what a card is to others.
 */
const innerTargets = ["state", "key", "checked", ...linkTargets] as const;
export type AnyTarget = Target | (typeof innerTargets)[number];

const ofCards = fieldsIn(cardFields, "csv").map(([, { column }]) => column);
const isTarget = (name: string): name is Target =>
  ofCards.includes(name) || otherTargets.some((target) => target === name);

/** The targets that options name. */
export const targets: Target[] = [...ofCards, ...otherTargets].filter(isTarget);

/** All targets. */
export const allTargets: AnyTarget[] = [...targets, ...innerTargets];

/** The targets that have the values of all their columns. */
const repeated = new Set<AnyTarget>([
  "labels",
  "members",
  "comments",
  "attachments",
  "checklist",
  "checked",
  ...linkTargets,
]);
export const isRepeated = (target: AnyTarget) => repeated.has(target);

/** The targets whose columns other targets may have too. */
export const sharesColumns = (target: AnyTarget) => target === "state" || target === "key";

/** The targets that are dates, or may be. */
export const dateTargets: Target[] = targets.filter((target) => /(?:At|Date)$/.test(target));
