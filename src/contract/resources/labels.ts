import { z } from "zod";
import { LabelName, Version } from "../fields/shared.ts";
import { idOf } from "../vocabulary/ids.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";
import { ColourCode, PublicId, storedName } from "../vocabulary/texts.ts";
import type { AnyPart, Part } from "../fields/part.ts";

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

/** A label on a public board. */
export const PublicLabel = z.object({
  name: LabelName,
  colourCode: z
    .string()
    .nullable()
    .meta({ description: "The colour as `#rrggbb`.", examples: ["#d73a4a"] }),
});

/** The labels of a board. */
export const labelsOnBoard = {
  tables: { labels: { counted: "labels", kind: "label", copied: ["name", "colourCode"] } },
  detail: { labels: z.array(Label).meta({ description: "The labels of the board." }) },
  stored: {
    labels: z.array(
      z.strictObject({
        publicId: PublicId,
        name: storedName(36),
        colourCode: ColourCode.nullable(),
      }),
    ),
  },
  counted: ["labels"],
  lines: { label: viewedWith("board:view", Label.extend({ boardPublicId: z.string() })) },
} as const satisfies AnyPart;

/** The labels on a card. */
export const labelsPart = {
  tables: { card_labels: {} },
  summary: { labels: z.array(Label).meta({ description: "The labels." }) },
  detail: { labels: z.array(Label).meta({ description: "The labels." }) },
  public: { labels: z.array(PublicLabel).meta({ description: "The labels." }) },
  stored: { labelPublicIds: z.array(PublicId) },
  copied: {
    what: "the labels",
    by: "withLabels",
    also: "copyLabels",
    isDefault: true,
    onBoards: true,
  },
} as const satisfies Part;
