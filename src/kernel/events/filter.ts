import { z } from "zod";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { eventTypes } from "../../contract/events.ts";
import { boardBefore, type LogRow, type LogFilter } from "./log.ts";
import { EventTypeName } from "../../contract/event-envelope.ts";

/** Where to begin: a cursor, with what is to be said of it. */
export const cursorField = (description: string) =>
  z.string().min(1).max(500).meta({ description }).optional();

/** Which events somebody wants. */
export const EventFilter = z.strictObject({
  types: z
    .array(EventTypeName)
    .min(1)
    .max(eventTypes.length)
    .meta({ description: "Only events of these types." })
    .optional(),
  boardPublicId: PublicId.meta({
    description: "Only what happens on this board, and cards that leave it.",
  }).optional(),
});

/** Whether an event is one of those that are wanted, as the log's own filter has it. */
export function isWanted(row: LogRow, { types, board }: LogFilter): boolean {
  if (types !== undefined && !types.includes(row.type)) return false;
  return board === undefined || row.boardPublicId === board || boardBefore(row) === board;
}
