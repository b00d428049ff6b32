import type { Label as LabelRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { Label } from "../../contract/resources/labels.ts";

/** Shows a label's row, with its version for those who announce it. */
export const viewLabel = (
  label: Pick<LabelRow, "publicId" | "name" | "colourCode" | "version">,
): z.infer<typeof Label> & { version: number } => ({
  publicId: label.publicId,
  name: label.name,
  colourCode: label.colourCode,
  version: label.version,
});
