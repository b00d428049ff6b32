import type { z } from "zod";
import type { Permission } from "../../contract/vocabulary/permissions.ts";
import type { Query } from "../../platform/db/query.ts";
import { catalog, eventTypes, type EventType } from "../../contract/events.ts";
import { readBoardAccess, sees, type BoardAccess, type Viewer } from "../access/visibility.ts";
import { viewPermissionsIn } from "../access/filter-output.ts";
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
export type Reader = Viewer & { may: ReadonlySet<Permission> };

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

/** The part of an event that readers may see differently. */
type Redactable = Pick<LogRow, "type" | "boardPublicId" | "cardPublicId" | "data" | "changes">;

/** How an event is reduced for a reader: to the departure of a card, or by some fields. */
export type Redaction = "none" | "departure" | `without ${string}`;

/** How an event is reduced for a reader now; null when the reader sees nothing of it. */
export function redactionFor(reader: Reader, row: LogRow, boards: Boards): Redaction | null {
  if (!needsOf.get(row.type)?.every((need) => reader.may.has(need))) return null;
  const fields = hiddenFields(row.type, reader.may);
  if (row.boardPublicId === null) return reader.boardId === null ? redactionOf(fields) : null;
  const before = boardBefore(row);
  const seesBefore = before !== null && sees(reader, boards.get(before));
  if (!sees(reader, boards.get(row.boardPublicId))) return seesBefore ? "departure" : null;
  return redactionOf(before === null || seesBefore ? fields : [...fields, "from"]);
}

/** Reduces an event. */
export function applyRedaction<Row extends Redactable>(row: Row, redaction: Redaction): Row {
  if (redaction === "none") return row;
  if (redaction === "departure") return departure(row);
  return withoutFields(row, redaction.slice("without ".length).split(","));
}

/** What a reader may see of an event now; null for nothing. */
export function redact(reader: Reader, row: LogRow, boards: Boards): LogRow | null {
  const redaction = redactionFor(reader, row, boards);
  return redaction === null ? null : applyRedaction(row, redaction);
}

const fieldsOf = new Map(
  eventTypes.map((type) => [
    type,
    Object.entries<z.core.$ZodType>(catalog[type].data.shape).flatMap(([field, schema]) => {
      const permissions = [...viewPermissionsIn(schema)];
      return permissions.length === 0 ? [] : [{ field, permissions }];
    }),
  ]),
);

/** The fields of an event's data that need a permission which the reader lacks. */
export const hiddenFields = (type: EventType, may: ReadonlySet<Permission>): string[] =>
  (fieldsOf.get(type) ?? []).flatMap(({ field, permissions }) =>
    permissions.every((permission) => may.has(permission)) ? [] : [field],
  );

/** An event without some fields of its data. */
export function withoutFields<Row extends Pick<LogRow, "data">>(row: Row, fields: string[]): Row {
  if (fields.length === 0) return row;
  const shown = Object.entries(row.data).filter(([field]) => !fields.includes(field));
  return { ...row, data: Object.fromEntries(shown) };
}

const redactionOf = (fields: string[]): Redaction =>
  fields.length === 0 ? "none" : `without ${fields.join(",")}`;

// A reader of the source board learns that the card left, and neither its content nor its target.
const departure = <Row extends Redactable>(row: Row): Row => ({
  ...row,
  boardPublicId: boardBefore(row),
  data: { card: { publicId: row.cardPublicId }, from: row.data["from"] },
  changes: null,
});
