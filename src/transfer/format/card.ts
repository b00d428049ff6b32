import { z } from "zod";
import { cardFields } from "../../contract/fields/card.ts";
import { storedShape } from "../../contract/fields/field.ts";
import { cardParts } from "../../contract/resources/card-parts.ts";
import { partsIn } from "../../contract/fields/part.ts";
import { PublicId, Timestamp } from "../../contract/vocabulary/texts.ts";

const dated = { createdAt: Timestamp, updatedAt: Timestamp };
const number = z.int().min(1).max(2_147_483_647);

/** What happened on the card, as its history shows it. */
const Activity = z.strictObject({
  type: z
    .string()
    .regex(/^[a-z_]+\.[a-z_]+$/)
    .max(64),
  actor: z.strictObject({
    type: z.enum(["user", "apiKey", "import", "system"]),
    publicId: PublicId.nullable(),
    name: z.string().max(1_000),
  }),
  data: z.record(z.string(), z.unknown()),
  changes: z.record(z.string(), z.unknown()).nullable(),
  createdAt: Timestamp,
});

/**
 * A card with everything on it. The cards of a list are in their order.
 *
 * The limits of parts are those of the service: an import skips and reports what exceeds them.
 */
export const ExportedCard = z.strictObject({
  publicId: PublicId,
  listPublicId: PublicId,
  number,
  aliases: z.array(number).max(1_000),
  ...storedShape(cardFields),
  ...dated,
  ...partsIn(cardParts, "stored"),
  activity: z.array(Activity),
});
