import type { Label as LabelRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { Label, LabelDetail } from "../../contract/resources/labels.ts";

/** Shows a label, with its version for events. */
export const showLabel = (
  label: Pick<LabelRow, "publicId" | "name" | "colourCode" | "version">,
): z.infer<typeof Label> & { version: number } => ({
  publicId: label.publicId,
  name: label.name,
  colourCode: label.colourCode,
  version: label.version,
});

/** Shows a label with its board. */
export const showLabelDetail = (
  label: Parameters<typeof showLabel>[0],
  board: { publicId: string },
): z.infer<typeof LabelDetail> => ({ ...showLabel(label), boardPublicId: board.publicId });
