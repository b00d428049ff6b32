import { sql, type Sql } from "../../platform/db/sql.ts";
import { remapLabels } from "./remap-labels.ts";
import type { Part } from "./part.ts";
import { jsonList } from "./rows-sql.ts";

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
  public: {
    field: "labels",
    column: jsonList(
      sql`json_build_object('name', la.name, 'colourCode', la."colourCode")`,
      sql`${from} WHERE ${isOn(sql`c.id`)}`,
      sql`la.name, la.id`,
    ),
    bytes: sql`(SELECT count(*) * 200 FROM card_labels cl WHERE ${isOn(sql`c.id`)})`,
    show: (values) => values,
  },
  csv: { columns: ["labels"], needs: "board:view" },
  copied: [{ table: "card_labels", alias: "cl", pairedBy: "labelId", pairedWith: "labels" }],
  toBoard: remapLabels,
  exported: { ids: "labelPublicIds" },
} satisfies Part;
