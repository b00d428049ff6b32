import { BoardType, BoardVisibility } from "../vocabulary/enums.ts";
import { name, Slug, text } from "../vocabulary/fields.ts";
import { idOf } from "../vocabulary/ids.ts";
import type { Fields } from "./field.ts";
import {
  archivableFields,
  BoardDescription,
  BoardName,
  BoardSlug,
  GivenBoardDescription,
  GivenBoardName,
  GivenBoardSlug,
} from "./shared.ts";

/** The fields of a board: whoever shows, sets or exports boards walks over them. */
export const boardFields = {
  publicId: { column: "publicId", kind: "text", shown: idOf("board"), in: ["ref", "entry"] },
  name: {
    column: "name",
    kind: "text",
    shown: BoardName,
    given: GivenBoardName,
    stored: name(255),
    isRequired: true,
    in: ["ref", "entry", "create", "update", "export"],
  },
  description: {
    column: "description",
    kind: "text",
    shown: BoardDescription,
    given: GivenBoardDescription,
    stored: text(0, 100_000).nullable(),
    in: ["entry", "create", "update", "export"],
  },
  slug: {
    column: "slug",
    kind: "text",
    shown: BoardSlug,
    given: GivenBoardSlug,
    stored: Slug,
    in: ["entry", "create", "update", "export"],
  },
  type: {
    column: "type",
    kind: "choice",
    shown: BoardType,
    given: BoardType,
    stored: BoardType,
    choice: { type: "BoardType", otherwise: "regular" },
    in: ["entry", "create", "export"],
  },
  visibility: {
    column: "visibility",
    kind: "choice",
    shown: BoardVisibility,
    given: BoardVisibility,
    stored: BoardVisibility,
    choice: { type: "BoardVisibility", otherwise: "private" },
    in: ["entry", "create", "update", "export"],
  },
  ...archivableFields("board"),
} as const satisfies Fields;
