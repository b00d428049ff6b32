import { z } from "zod";
import type { Label as LabelRow } from "../../platform/db/rows.ts";

/** A label of a board; `colourCode` is `#rrggbb`. */
export const Label = z
  .object({
    publicId: z.string(),
    name: z.string(),
    colourCode: z.string().nullable(),
  })
  .meta({ id: "Label" });

/** Shows a label's row, with its version for those who announce it. */
export const viewLabel = (
  label: Pick<LabelRow, "publicId" | "name" | "colourCode" | "version">,
): z.infer<typeof Label> & { version: number } => ({
  publicId: label.publicId,
  name: label.name,
  colourCode: label.colourCode,
  version: label.version,
});
