import { z } from "zod";
import { name, plannedDate, text, Timestamp, storedName } from "../vocabulary/texts.ts";
import { cardPriorities } from "../vocabulary/priorities.ts";
import type { Fields } from "./field.ts";
import { allDay, CreatedAt, DueDate, IsDueAllDay, UpdatedAt, Version } from "./shared.ts";

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

const IsStartAllDay = allDay("startDate");

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
    output: z.string().meta({ description: "The public id.", examples: ["q8w2e5r7t1y4"] }),
    in: ["ref", "entry"],
  },
  title: {
    column: "title",
    kind: "text",
    output: z.string().meta(title),
    input: name(2_000).meta(title),
    isRequired: true,
    stored: storedName(2_000),
    in: ["ref", "entry", "public", "create", "update", "copy", "export", "csv"],
  },
  description: {
    column: "description",
    kind: "text",
    output: z.string().nullable().meta(description),
    input: text(0, 100_000).nullable().meta(description),
    stored: text(0, 100_000).nullable(),
    // Summaries show `hasDescription`.
    in: ["ref", "public", "create", "update", "copy", "export", "csv"],
  },
  startDate: {
    column: "startDate",
    kind: "moment",
    word: "starts",
    output: Timestamp.nullable().meta(start),
    input: plannedDate("When work starts", "2026-02-16T08:00:00.000Z"),
    stored: Timestamp.nullable(),
    in: ["entry", "public", "create", "update", "bulk", "copy", "export", "csv"],
  },
  isStartAllDay: {
    column: "isStartAllDay",
    kind: "allDay",
    of: "startDate",
    output: IsStartAllDay,
    stored: IsStartAllDay.default(false),
    in: ["entry", "public", "copy", "export"],
  },
  dueDate: {
    column: "dueDate",
    kind: "moment",
    word: "due",
    output: DueDate,
    input: plannedDate("When it is due"),
    stored: Timestamp.nullable(),
    sort: { order: "asc", about: "earliest first, cards without one last" },
    in: ["ref", "entry", "public", "create", "update", "bulk", "copy", "export", "csv"],
  },
  isDueAllDay: {
    column: "isDueAllDay",
    kind: "allDay",
    of: "dueDate",
    output: IsDueAllDay,
    stored: IsDueAllDay.default(false),
    in: ["entry", "public", "copy", "export"],
  },
  cardNumber: {
    column: "number",
    kind: "cardNumber",
    output: z
      .string()
      .meta({ examples: ["AE-12"], description: "The card prefix and number, such as `ENG-12`." }),
    in: ["entry", "public"],
  },
  isArchived: {
    column: "archivedAt",
    kind: "flag",
    word: "archived",
    output: IsCardArchived,
    input: IsCardArchived,
    stored: Timestamp.nullable(),
    events: { true: "card.archived", false: "card.unarchived" },
    in: ["entry", "update", "bulk", "export"],
  },
  isComplete: {
    column: "completedAt",
    kind: "flag",
    word: "complete",
    output: IsCardComplete,
    input: IsCardComplete,
    stored: Timestamp.nullable(),
    events: { true: "card.completed" },
    in: ["entry", "public", "update", "bulk", "export", "csv"],
  },
  priority: {
    column: "priority",
    kind: "choice",
    word: "priority",
    output: Priority,
    input: Priority,
    stored: Priority.default("none"),
    choice: { type: "CardPriority", otherwise: "none" },
    sort: { order: "desc", about: "most urgent first" },
    filter: "Only cards with any of these priorities.",
    in: ["entry", "create", "update", "bulk", "copy", "export", "csv"],
  },
  version: {
    column: "version",
    kind: "integer",
    output: Version,
    in: ["entry"],
  },
  createdAt: {
    column: "createdAt",
    kind: "moment",
    output: CreatedAt,
    sort: { order: "desc", about: "newest first" },
    in: ["summary", "public"],
  },
  updatedAt: {
    column: "updatedAt",
    kind: "moment",
    output: UpdatedAt,
    sort: { order: "desc", about: "newest first" },
    in: ["summary"],
  },
} as const satisfies Fields;
