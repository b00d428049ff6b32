import { groupFields as fields } from "../../contract/filter/groupings.ts";

/** What the cards of a view can be grouped by, beside custom fields with options. */
export const groupFields: readonly string[] = fields;
