import { z } from "zod";
import { name, plannedDate, text, Timestamp } from "../vocabulary/fields.ts";
import { cardPriorities } from "../vocabulary/priorities.ts";
import type { Fields } from "./field.ts";
import { CreatedAt, DueDate, UpdatedAt, Version } from "./shared.ts";

const title = { description: "The title of the card.", examples: ["Write the announcement"] };
const description = {
  description: "The description, in Markdown. Null if there is none.",
  examples: ["Two paragraphs and a picture."],
};
const IsCardArchived = z.boolean().meta({ description: "Whether the card is archived." });
const IsCardComplete = z.boolean().meta({ description: "Whether the card is completed." });
const start = {
  description: "When work starts: ISO 8601 with `Z` or an offset. Null if there is no start date.",
  examples: ["2026-02-16T08:00:00.000Z"],
};

const priority = z
  .enum(cardPriorities)
  .meta({ id: "CardPriority", description: "How urgent a card is." });
const Priority = priority.meta({ description: "How urgent it is.", examples: ["high"] });

/**
 * The fields of a card: whoever shows, sets, copies, exports or imports cards walks over them.
 *
 * `CardInfo` has all of them.
 */
export const cardFields = {
  publicId: {
    column: "publicId",
    kind: "text",
    shown: z.string().meta({ description: "The public id.", examples: ["q8w2e5r7t1y4"] }),
    in: ["ref", "entry"],
  },
  title: {
    column: "title",
    kind: "text",
    shown: z.string().meta(title),
    given: name(2_000).meta(title),
    isRequired: true,
    stored: name(2_000),
    in: ["ref", "entry", "public", "create", "update", "copy", "export", "csv"],
  },
  description: {
    column: "description",
    kind: "text",
    shown: z.string().nullable().meta(description),
    given: text(0, 100_000).nullable().meta(description),
    stored: text(0, 100_000).nullable(),
    // Summaries show `hasDescription`.
    in: ["ref", "public", "create", "update", "copy", "export", "csv"],
  },
  startDate: {
    column: "startDate",
    kind: "moment",
    shown: Timestamp.nullable().meta(start),
    given: plannedDate("When work starts", "2026-02-16T08:00:00.000Z"),
    stored: Timestamp.nullable(),
    in: ["entry", "public", "create", "update", "bulk", "copy", "export", "csv"],
  },
  dueDate: {
    column: "dueDate",
    kind: "moment",
    shown: DueDate,
    given: plannedDate("When it is due"),
    stored: Timestamp.nullable(),
    sort: { order: "asc", about: "earliest first, cards without one last" },
    in: ["ref", "entry", "public", "create", "update", "bulk", "copy", "export", "csv"],
  },
  cardNumber: {
    column: "number",
    kind: "cardNumber",
    shown: z
      .string()
      .meta({ examples: ["AE-12"], description: "The card prefix and number, such as `ENG-12`." }),
    in: ["entry", "public"],
  },
  isArchived: {
    column: "archivedAt",
    kind: "flag",
    shown: IsCardArchived,
    given: IsCardArchived,
    stored: Timestamp.nullable(),
    events: { true: "card.archived", false: "card.unarchived" },
    in: ["entry", "update", "bulk", "export"],
  },
  isComplete: {
    column: "completedAt",
    kind: "flag",
    shown: IsCardComplete,
    given: IsCardComplete,
    stored: Timestamp.nullable(),
    events: { true: "card.completed" },
    in: ["entry", "public", "update", "bulk", "export", "csv"],
  },
  priority: {
    column: "priority",
    kind: "choice",
    shown: Priority,
    given: Priority,
    stored: Priority.default("none"),
    choice: { type: "CardPriority", otherwise: "none" },
    sort: { order: "desc", about: "most urgent first" },
    filter: "Only cards with any of these priorities.",
    in: ["entry", "create", "update", "bulk", "copy", "export", "csv"],
  },
  version: {
    column: "version",
    kind: "integer",
    shown: Version,
    in: ["entry"],
  },
  createdAt: {
    column: "createdAt",
    kind: "moment",
    shown: CreatedAt,
    sort: { order: "desc", about: "newest first" },
    in: ["summary", "public"],
  },
  updatedAt: {
    column: "updatedAt",
    kind: "moment",
    shown: UpdatedAt,
    sort: { order: "desc", about: "newest first" },
    in: ["summary"],
  },
} as const satisfies Fields;
