import { z } from "zod";
import { viewedWith } from "../vocabulary/view-permissions.ts";
import { PublicId } from "../vocabulary/fields.ts";
import type { Part } from "../fields/part.ts";

/** A label of a board. */
export const Label = viewedWith(
  "board:view",
  z
    .object({
      publicId: z.string(),
      name: z.string(),
      colourCode: z.string().nullable().meta({ description: "The colour as `#rrggbb`." }),
    })
    .meta({ id: "Label" }),
);

/** A label with its board and its version. */
export const LabelDetail = viewedWith(
  "board:view",
  Label.extend({ boardPublicId: z.string(), version: z.int() }).meta({ id: "LabelDetail" }),
);

/** A label on a public board. */
export const PublicLabel = z.object({ name: z.string(), colourCode: z.string().nullable() });

/** The labels on a card. */
export const labelsPart = {
  tables: { card_labels: {} },
  summary: { labels: z.array(Label) },
  detail: { labels: z.array(Label) },
  public: { labels: z.array(PublicLabel) },
  stored: { labelPublicIds: z.array(PublicId) },
  copied: { by: "withLabels", also: "copyLabels", isDefault: true, onBoards: true },
} as const satisfies Part;
