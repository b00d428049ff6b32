import type { z } from "zod";
import type {
  CustomField as Field,
  CustomFieldEvent,
} from "../../contract/resources/custom-fields.ts";
import type { CustomField } from "../../platform/db/rows.ts";

/** A live option of a field, as it is read. */
export type OptionView = z.infer<typeof Field>["options"][number];

/** Shows a field, with its version for events. */
export const showCustomField = (
  field: Pick<CustomField, "publicId" | "name" | "type" | "unit" | "isShownOnCard" | "version">,
  options: OptionView[],
): z.infer<typeof CustomFieldEvent> => ({
  publicId: field.publicId,
  name: field.name,
  type: field.type,
  options,
  unit: field.unit,
  isShownOnCard: field.isShownOnCard,
  version: field.version,
});
