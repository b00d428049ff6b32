import { z } from "zod";
import { LabelName, Version } from "../fields/shared.ts";
import { idOf } from "../vocabulary/ids.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

/** A label of a board. */
export const Label = viewedWith(
  "board:view",
  z
    .object({
      publicId: idOf("label"),
      name: LabelName,
      colourCode: z
        .string()
        .nullable()
        .meta({ examples: ["#d73a4a"], description: "The colour as `#rrggbb`." }),
    })
    .meta({ id: "Label", description: "A label of a board." }),
);

/** A label with its board and its version. */
export const LabelDetail = viewedWith(
  "board:view",
  Label.extend({ boardPublicId: idOf("board"), version: Version }).meta({
    id: "LabelDetail",
    description: "A label with its board and its version.",
  }),
);
