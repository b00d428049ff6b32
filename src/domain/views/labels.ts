import type { Label as LabelRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { Label, LabelDetail } from "../../contract/resources/labels.ts";

/** The view of a label, with its version for events. */
export const viewLabel = (
  label: Pick<LabelRow, "publicId" | "name" | "colourCode" | "version">,
): z.infer<typeof Label> & { version: number } => ({
  publicId: label.publicId,
  name: label.name,
  colourCode: label.colourCode,
  version: label.version,
});

/** The view of a label with its board. */
export const viewLabelDetail = (
  label: Parameters<typeof viewLabel>[0],
  board: { publicId: string },
): z.infer<typeof LabelDetail> => ({ ...viewLabel(label), boardPublicId: board.publicId });
