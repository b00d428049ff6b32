import { sql, type Sql } from "../../platform/db/sql.ts";
import { remapLabels } from "./remap-labels.ts";
import type { Part } from "./part.ts";

const from = sql`card_labels cl JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL`;
const isOn = (cardId: Sql) => sql`cl."cardId" = ${cardId}`;

/** The labels on a card. */
export const labels = {
  from,
  isOn,
  summary: {
    field: "labels",
    columns: {
      id: sql`la.id`,
      publicId: sql`la."publicId"`,
      name: sql`la.name`,
      extra: sql`la."colourCode"`,
    },
    view: ({ publicId, name, extra }) => ({ publicId, name, colourCode: extra }),
  },
  // Those that were deleted too: nothing changes on cards when a label is deleted.
  kept: {
    columns: { hasLabels: sql`count(*) > 0` },
    from: sql`card_labels cl`,
    isOn,
    isChangedBy: ({ type }) => type.startsWith("card.label_"),
  },
  csv: { columns: ["labels"], needs: "board:view" },
  copied: [{ table: "card_labels", alias: "cl", pairedBy: "labelId", pairedWith: "labels" }],
  toBoard: remapLabels,
} satisfies Part;
