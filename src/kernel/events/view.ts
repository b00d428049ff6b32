import type { LogRow } from "./log.ts";
import type { BoardEvent, EventEnvelope } from "../../contract/event-envelope.ts";
import { orderOf } from "./cursor.ts";
import { iso } from "../../contract/vocabulary/texts.ts";

/** Shows an event, whose data was validated when it was emitted. */
export const viewEvent = (row: LogRow, workspacePublicId: string): BoardEvent =>
  envelopeOf(row, workspacePublicId) as BoardEvent;

const envelopeOf = (row: LogRow, workspacePublicId: string): EventEnvelope => ({
  id: row.publicId,
  type: row.type,
  timestamp: iso(row.createdAt),
  order: orderOf(row),
  workspacePublicId,
  ...(row.boardPublicId === null ? {} : { boardPublicId: row.boardPublicId }),
  actor: { type: row.actorType, publicId: row.actorPublicId, name: row.actorName },
  ...(row.mutationId === null ? {} : { mutationId: row.mutationId }),
  data: row.data,
  ...(row.changes === null ? {} : { changes: row.changes }),
});
