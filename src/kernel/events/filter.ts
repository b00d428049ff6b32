import { z } from "zod";
import { PublicId } from "../../contract/vocabulary/texts.ts";
import { eventTypes } from "../../contract/events.ts";
import { boardBefore, type LogRow } from "./log.ts";
import type { LogFilter } from "./log-sql.ts";
import { EventTypeName } from "../../contract/event-envelope.ts";

/** A cursor as an input field. */
export const cursorField = (description: string) =>
  z.string().min(1).max(500).meta({ description }).optional();

/** A filter of events. */
export const EventFilter = z.strictObject({
  types: z
    .array(EventTypeName)
    .min(1)
    .max(eventTypes.length)
    .meta({ description: "Only events of these types." })
    .optional(),
  boardPublicId: PublicId.meta({
    description: "Only events of this board, including cards that leave it.",
  }).optional(),
});

/** Whether an event matches a filter, as the SQL of the log does. */
export function matchesFilter(row: LogRow, { types, board }: LogFilter): boolean {
  if (types !== undefined && !types.includes(row.type)) return false;
  if (board === undefined || row.boardPublicId === board) return true;
  return boardBefore(row) === board || row.data["boardPublicId"] === board;
}
