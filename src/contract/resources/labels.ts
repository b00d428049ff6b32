import { z } from "zod";

/** A label of a board. */
export const Label = z
  .object({
    publicId: z.string(),
    name: z.string(),
    colourCode: z.string().nullable().meta({ description: "`#rrggbb`." }),
  })
  .meta({ id: "Label" });
