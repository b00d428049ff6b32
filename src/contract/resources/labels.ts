import { z } from "zod";
import { viewedWith } from "../vocabulary/view-permissions.ts";

/** A label of a board. */
export const Label = viewedWith(
  "board:view",
  z
    .object({
      publicId: z.string(),
      name: z.string(),
      colourCode: z.string().nullable().meta({ description: "The colour as `#rrggbb`." }),
    })
    .meta({ id: "Label" }),
);

/** A label with its board and its version. */
export const LabelDetail = viewedWith(
  "board:view",
  Label.extend({ boardPublicId: z.string(), version: z.int() }).meta({ id: "LabelDetail" }),
);
