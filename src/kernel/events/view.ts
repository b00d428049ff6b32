import type { LogRow } from "./log.ts";
import type { EventView } from "../../contract/event-envelope.ts";
import { iso } from "../../contract/vocabulary/fields.ts";

/** Shows an event. */
export const viewEvent = (row: LogRow, workspacePublicId: string): EventView => ({
  id: row.publicId,
  type: row.type,
  timestamp: iso(row.createdAt),
  workspacePublicId,
  ...(row.boardPublicId === null ? {} : { boardPublicId: row.boardPublicId }),
  actor: { type: row.actorType, publicId: row.actorPublicId, name: row.actorName },
  ...(row.mutationId === null ? {} : { mutationId: row.mutationId }),
  data: row.data,
  ...(row.changes === null ? {} : { changes: row.changes }),
});
