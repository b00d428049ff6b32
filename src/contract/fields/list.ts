import { z } from "zod";
import { WipMode } from "../vocabulary/enums.ts";
import { storedName } from "../vocabulary/texts.ts";
import { idOf } from "../vocabulary/ids.ts";
import type { Fields } from "./field.ts";
import { archivableFields, ListNameInput, ListName } from "./shared.ts";

const limit = {
  description:
    "The maximum number of cards that are not archived; see `wipMode`. Null for no limit.",
  examples: [5],
};

/** The fields of a list: whoever shows, sets, copies, exports or imports lists walks over them. */
export const listFields = {
  publicId: { column: "publicId", kind: "text", output: idOf("list"), in: ["ref", "entry"] },
  name: {
    column: "name",
    kind: "text",
    output: ListName,
    input: ListNameInput,
    stored: storedName(255),
    in: ["ref", "entry", "update", "copy", "export"],
  },
  wipLimit: {
    column: "wipLimit",
    kind: "integer",
    output: z.int().nullable().meta(limit),
    input: z.int().min(1).max(1_000).nullable().meta(limit),
    stored: z.int().min(1).max(1_000).nullable(),
    in: ["entry", "update", "copy", "export"],
  },
  wipMode: {
    column: "wipMode",
    kind: "choice",
    output: WipMode,
    input: WipMode,
    stored: WipMode.default("warn"),
    choice: { type: "WipMode", otherwise: "warn" },
    in: ["entry", "update", "copy", "export"],
  },
  ...archivableFields("list"),
} as const satisfies Fields;
