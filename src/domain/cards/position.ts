import type { z } from "zod";
import type { Placement } from "../../kernel/positions.ts";
import { Index, PublicId } from "../../contract/vocabulary/fields.ts";

/** Where a card goes: at most one of the three. */
export const placeFields = {
  index: Index.optional(),
  beforeCardPublicId: PublicId.optional(),
  afterCardPublicId: PublicId.optional(),
};

type Fields = { [Name in keyof typeof placeFields]?: z.infer<(typeof placeFields)[Name]> };

const given = ({ index, beforeCardPublicId, afterCardPublicId }: Fields) =>
  [index, beforeCardPublicId, afterCardPublicId].filter((value) => value !== undefined).length;

/** At most one of index, beforeCardPublicId and afterCardPublicId. */
export const onePlace = (fields: Fields) => given(fields) <= 1;

/** What `onePlace` says to an input that names two. */
export const onePlaceFault = {
  error: "At most one of index, beforeCardPublicId and afterCardPublicId may be given",
  path: ["index"],
};

/** The place that an input names, or undefined when it names none. */
export function placeOf(fields: Fields): Placement | undefined {
  const { index, beforeCardPublicId, afterCardPublicId } = fields;
  if (beforeCardPublicId !== undefined) return { before: beforeCardPublicId };
  if (afterCardPublicId !== undefined) return { after: afterCardPublicId };
  return index === undefined ? undefined : { index };
}
