import { sql, type Sql } from "../../platform/db/sql.ts";
import { remapLabels } from "./remap-labels.ts";
import type { Part, ShownDetail } from "./part.ts";
import { jsonList, jsonRows } from "./rows-sql.ts";

const from = sql`card_labels cl JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL`;
const isOn = (cardId: Sql) => sql`cl."cardId" = ${cardId}`;
const ofCard = sql`${from} WHERE ${isOn(sql`c.id`)}`;
const shown = sql`la."publicId", la.name, la."colourCode"`;

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
  detail: {
    columns: (cardId) => ({
      labels: jsonRows(
        sql`SELECT ${shown} FROM ${from} WHERE ${isOn(cardId)} ORDER BY la.name, la.id`,
      ),
    }),
    none: { labels: [] },
    show: ({ labels: all }: Pick<ShownDetail, "labels">) => ({ labels: all }),
  },
  public: {
    field: "labels",
    column: jsonList(
      sql`json_build_object('name', la.name, 'colourCode', la."colourCode")`,
      ofCard,
      sql`la.name, la.id`,
    ),
    bytes: sql`(SELECT count(*) * 200 FROM card_labels cl WHERE ${isOn(sql`c.id`)})`,
    show: (values) => values,
  },
  csv: {
    labels: {
      select: sql`SELECT string_agg(la.name, ', ' ORDER BY la.name, la.id) FROM ${ofCard}`,
      isText: true,
      needs: "board:view",
    },
  },
  copied: [
    {
      table: "card_labels",
      alias: "cl",
      from,
      isOn: isOn(sql`c.id`),
      pairedBy: "labelId",
      pairedWith: "labels",
    },
  ],
  toBoard: remapLabels,
  exported: {
    columns: {
      labelPublicIds: sql`ARRAY(SELECT la."publicId" FROM ${ofCard} ORDER BY la.id)`,
    },
  },
} satisfies Part;
