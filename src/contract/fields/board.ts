import { BoardType, BoardVisibility, OpenWorkMode } from "../vocabulary/enums.ts";
import { Slug, text, storedName } from "../vocabulary/texts.ts";
import { idOf } from "../vocabulary/ids.ts";
import type { Fields } from "./field.ts";
import {
  archivableFields,
  BoardDescription,
  BoardName,
  BoardSlug,
  BoardDescriptionInput,
  BoardNameInput,
  BoardSlugInput,
} from "./shared.ts";

/** The fields of a board: whoever shows, sets, copies, exports or imports boards walks over them. */
export const boardFields = {
  publicId: { column: "publicId", kind: "text", output: idOf("board"), in: ["ref", "entry"] },
  name: {
    column: "name",
    kind: "text",
    output: BoardName,
    input: BoardNameInput,
    stored: storedName(255),
    isRequired: true,
    in: ["ref", "entry", "create", "update", "export"],
  },
  description: {
    column: "description",
    kind: "text",
    output: BoardDescription,
    input: BoardDescriptionInput,
    stored: text(0, 100_000).nullable(),
    in: ["entry", "create", "update", "copy", "export"],
  },
  slug: {
    column: "slug",
    kind: "text",
    output: BoardSlug,
    input: BoardSlugInput,
    stored: Slug,
    in: ["entry", "create", "update", "export"],
  },
  type: {
    column: "type",
    kind: "choice",
    output: BoardType,
    input: BoardType,
    stored: BoardType,
    choice: { type: "BoardType", otherwise: "regular" },
    in: ["entry", "create", "export"],
  },
  visibility: {
    column: "visibility",
    kind: "choice",
    output: BoardVisibility,
    input: BoardVisibility,
    stored: BoardVisibility,
    choice: { type: "BoardVisibility", otherwise: "private" },
    in: ["entry", "create", "update", "export"],
  },
  openWorkMode: {
    column: "openWorkMode",
    kind: "choice",
    output: OpenWorkMode,
    input: OpenWorkMode,
    stored: OpenWorkMode.default("off"),
    choice: { type: "WipMode", otherwise: "off" },
    in: ["entry", "create", "update", "copy", "export"],
  },
  ...archivableFields("board"),
} as const satisfies Fields;
