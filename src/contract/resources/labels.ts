import { z } from "zod";
import { viewedWith } from "../vocabulary/view-permissions.ts";

/** A label of a board. */
export const Label = viewedWith(
  "board:view",
  z
    .object({
      publicId: z.string(),
      name: z.string(),
      colourCode: z.string().nullable().meta({ description: "`#rrggbb`." }),
    })
    .meta({ id: "Label" }),
);
