import type { Permission } from "../../contract/vocabulary/permissions.ts";
import type { Query } from "../../platform/db/query.ts";
import { eventTypes, type EventType } from "../../contract/events.ts";
import { readBoardAccess, sees, type BoardAccess, type Viewer } from "../access/visibility.ts";
import type { Actor } from "./actor.ts";
import { boardBefore, type LogRow } from "./log.ts";

type Kind = EventType extends infer Type
  ? Type extends `${infer Name}.${string}`
    ? Name
    : never
  : never;

/** The permissions that an event of a kind requires: those that reading the kind requires. */
const needs: Record<Kind, readonly Permission[]> = {
  workspace: ["workspace:view"],
  member: ["member:view"],
  role: ["member:view"],
  webhook: ["workspace:manage"],
  import: ["workspace:view"],
  board: ["board:view"],
  list: ["list:view"],
  label: ["board:view"],
  card: ["card:view"],
  checklist: ["card:view"],
  checklist_item: ["card:view"],
  attachment: ["card:view"],
  comment: ["card:view", "comment:view"],
};

const byName: Readonly<Record<string, readonly Permission[] | undefined>> = needs;
const needsOf = new Map(eventTypes.map((type) => [type, byName[type.split(".", 1).join("")]]));

/** The reader of a log: the permissions that the caller holds now, and the caller as a viewer. */
export type Reader = Viewer & {
  may: ReadonlySet<Permission>;
  /** The reader as the actor of events. */
  actor: Pick<Actor, "type" | "publicId">;
};

/** The types of events that a reader may see, of those that were requested. */
export const visibleTypes = (may: ReadonlySet<Permission>, requested?: readonly EventType[]) =>
  (requested ?? eventTypes).filter((type) => needsOf.get(type)?.every((need) => may.has(need)));

/** The boards of events as they are now; purged ones are missing. */
export type Boards = ReadonlyMap<string, BoardAccess>;

/** Reads the boards that events name. */
export const findBoards = (query: Query, rows: readonly LogRow[]): Promise<Boards> =>
  readBoardAccess(query, [
    ...new Set(rows.flatMap((row) => [row.boardPublicId ?? [], boardBefore(row) ?? []].flat())),
  ]);

/** What a reader may see of an event now; null for nothing. */
export function redact(reader: Reader, row: LogRow, boards: Boards): LogRow | null {
  const shown = redactContent(reader, row, boards);
  if (shown === null || shown.mutationId === null || isActor(reader, shown)) return shown;
  return { ...shown, mutationId: null };
}

const isActor = ({ actor }: Reader, row: LogRow) =>
  actor.type === row.actorType && actor.publicId === row.actorPublicId;

function redactContent(reader: Reader, row: LogRow, boards: Boards): LogRow | null {
  if (!needsOf.get(row.type)?.every((need) => reader.may.has(need))) return null;
  if (row.boardPublicId === null) return reader.boardId === null ? row : null;
  if (sees(reader, boards.get(row.boardPublicId))) return row;
  const before = boardBefore(row);
  if (before === null || !sees(reader, boards.get(before))) return null;
  return departure(row, before);
}

// A reader of the source board learns that the card left, and neither its content nor its target.
const departure = (row: LogRow, boardPublicId: string): LogRow => ({
  ...row,
  boardPublicId,
  data: { card: { publicId: row.cardPublicId }, from: row.data["from"] },
  changes: null,
});
