import { z } from "zod";

<<<<<<< HEAD
/** A label of a board. */
=======
/** A label of a board. `colourCode` is `#rrggbb`. */
>>>>>>> main
export const Label = z
  .object({
    publicId: z.string(),
    name: z.string(),
    colourCode: z.string().nullable().meta({ description: "`#rrggbb`." }),
  })
  .meta({ id: "Label" });
