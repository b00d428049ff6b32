import type { EventType } from "../../contract/events.ts";
import { iso } from "../../contract/vocabulary/fields.ts";
import { visiblePart, type HistoryReader } from "../../kernel/events/activity.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Items } from "../format/workspace.ts";
import type { OnCard } from "../../domain/parts/rows-sql.ts";
import { byCard, pagesOn, type CardRows } from "./pages.ts";
import { activity } from "./statements.ts";

type Event = Items["cards"]["activity"][number];
type EventRow = OnCard & {
  type: EventType;
  seesBefore: boolean;
  actorType: Event["actor"]["type"];
  actorPublicId: string | null;
  actorName: string;
  data: Event["data"];
  changes: Event["changes"];
  createdAt: Date;
};

/** The events of cards that the reader sees. */
export const historyOf = (
  query: Query,
  cards: bigint[],
  reader: HistoryReader,
): CardRows<EventRow> => byCard(pagesOn<EventRow>(query, activity(reader), cards, [0n, 0n]));

/** Shows events with what the reader may see of them. */
export const eventFor =
  (reader: HistoryReader) =>
  (row: EventRow): Event => ({
    type: row.type,
    actor: { type: row.actorType, publicId: row.actorPublicId, name: row.actorName },
    data: visiblePart(row, reader).data,
    changes: row.changes,
    createdAt: iso(row.createdAt),
  });
