import { z } from "zod";

/** A label of a board. `colourCode` is `#rrggbb`. */
export const Label = z
  .object({
    publicId: z.string(),
    name: z.string(),
    colourCode: z.string().nullable(),
  })
  .meta({ id: "Label" });
