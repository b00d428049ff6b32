import type { Placement } from "../kernel/positions.ts";
import { Index, PublicId } from "../contract/vocabulary/fields.ts";

const anchor = (side: string, kind: string) =>
  PublicId.meta({ description: `The ${kind} directly ${side} the new position.` }).optional();

/** The input fields for the placement of a card. */
export const cardPlacement = {
  index: Index.optional(),
  beforeCardPublicId: anchor("after", "card"),
  afterCardPublicId: anchor("before", "card"),
};

/** The input fields for the placement of a list. */
export const listPlacement = {
  index: Index.optional(),
  beforeListPublicId: anchor("after", "list"),
  afterListPublicId: anchor("before", "list"),
};

type Fields = { [Name in keyof (typeof cardPlacement & typeof listPlacement)]?: unknown };

const valuesOf = (fields: Fields) => ({
  index: fields.index,
  before: fields.beforeCardPublicId ?? fields.beforeListPublicId,
  after: fields.afterCardPublicId ?? fields.afterListPublicId,
});

/** The arguments of a refinement: an input has at most one of the three placement fields. */
export const singlePlacement = (kind: "Card" | "List") => {
  const isSingle = (fields: Fields) =>
    Object.values(valuesOf(fields)).filter((value) => value !== undefined).length <= 1;
  const error = `Set only one of index, before${kind}PublicId and after${kind}PublicId`;
  return [isSingle, { error, path: ["index"] }] satisfies [unknown, unknown];
};

/** The placement that an input asks for; undefined without one. */
export function placementOf(fields: Fields): Placement | undefined {
  const { index, before, after } = valuesOf(fields);
  if (typeof before === "string") return { before };
  if (typeof after === "string") return { after };
  return typeof index === "number" ? { index } : undefined;
}
