import { z } from "zod";
import type { Placement } from "../kernel/positions.ts";
import { Index, PublicId } from "../contract/vocabulary/texts.ts";

const Place = z
  .enum(["start", "end"])
  .meta({ id: "Place", description: "The start or the end of a list, or of a board." });

const anchor = (side: string, kind: string) =>
  PublicId.meta({ description: `The ${kind} directly ${side} the new position.` }).optional();

/** The input fields for a placement without neighbours. */
export const indexPlacement = {
  index: Index.optional(),
  position: Place.meta({ description: "The start or the end, instead of an `index`." }).optional(),
};

/** The input fields for the placement of a card. */
export const cardPlacement = {
  ...indexPlacement,
  beforeCardPublicId: anchor("after", "card"),
  afterCardPublicId: anchor("before", "card"),
};

/** The input fields for the placement of a list. */
export const listPlacement = {
  ...indexPlacement,
  beforeListPublicId: anchor("after", "list"),
  afterListPublicId: anchor("before", "list"),
};

type Fields = { [Name in keyof (typeof cardPlacement & typeof listPlacement)]?: unknown };

const valuesOf = (fields: Fields) => ({
  index: fields.index,
  position: fields.position,
  before: fields.beforeCardPublicId ?? fields.beforeListPublicId,
  after: fields.afterCardPublicId ?? fields.afterListPublicId,
});

/** The arguments of a refinement: an input has at most one of the placement fields. */
export const singlePlacement = (kind: "Card" | "List" | "Field") => {
  const isSingle = (fields: Fields) =>
    Object.values(valuesOf(fields)).filter((value) => value !== undefined).length <= 1;
  const error = `Set only one of index, position, before${kind}PublicId and after${kind}PublicId`;
  return [isSingle, { error, path: ["index"] }] satisfies [unknown, unknown];
};

/** The placement that an input asks for; undefined without one. */
export function placementOf(fields: Fields): Placement | undefined {
  const { index, position, before, after } = valuesOf(fields);
  if (typeof before === "string") return { before };
  if (typeof after === "string") return { after };
  if (position === "end") return {};
  if (position === "start") return { index: 0 };
  return typeof index === "number" ? { index } : undefined;
}
