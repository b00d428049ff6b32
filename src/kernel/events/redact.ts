import type { z } from "zod";
import type { Permission } from "../../contract/vocabulary/permissions.ts";
import {
  resourceKinds,
  viewPermissions,
  type ResourceKind,
} from "../../contract/vocabulary/resource-kinds.ts";
import type { Query } from "../../platform/db/query.ts";
import { subjectOf } from "../../contract/event-data.ts";
import { catalog, eventTypes, isPersonal, type EventType } from "../../contract/events.ts";
import { isBetweenCards } from "../../contract/vocabulary/between-cards.ts";
import { readBoardAccess, sees, type BoardAccess, type Viewer } from "../access/visibility.ts";
import { filterField, requiredToView, viewPermissionsIn } from "../access/filter-output.ts";
import { sql } from "../../platform/db/sql.ts";
import { actorOf, type StoredActor } from "./actor.ts";
import { boardAt, boardBefore, type LogRow } from "./log.ts";

type Kind = EventType extends infer Type
  ? Type extends `${infer Name}.${string}`
    ? Name
    : never
  : never;

/**
 * The permissions that an event of a kind requires, where they are not that to view such a resource.
 *
 * Without comment:view the events of comments carry the new version of the card.
 */
const needs: Record<Exclude<Kind, ResourceKind> | "comment", readonly Permission[]> = {
  access: [],
  checklist_item: ["card:view"],
  relation: ["card:view"],
  comment: ["card:view"],
};

/**
 * The permissions of single types. Cards show members to readers without member:view, so they get
 * the ids of members that change; but they do not see who is on a board.
 */
const needsByType: Partial<Record<EventType, readonly Permission[]>> = {
  "member.joined": ["workspace:view"],
  "member.updated": ["workspace:view"],
  "member.removed": ["workspace:view"],
  "board.member_added": ["board:view", "member:view"],
  "board.member_removed": ["board:view", "member:view"],
};

const needsByKind: Readonly<Record<string, readonly Permission[] | undefined>> = {
  ...Object.fromEntries(resourceKinds.map((kind) => [kind, [viewPermissions[kind]]])),
  ...needs,
};
const needsOf = new Map(
  eventTypes.map((type) => [type, needsByType[type] ?? needsByKind[type.split(".", 1).join("")]]),
);

/** The permissions that an event requires of its readers. */
export const requiredFor = (type: EventType): readonly Permission[] => needsOf.get(type) ?? [];

/** The reader of a log: the permissions that the caller holds now, and the caller as a viewer. */
export type EventReader = Viewer & {
  userId: bigint;
  may: ReadonlySet<Permission>;
  memberPublicId: string;
  /** The reader as the actor of events. */
  actor: Pick<StoredActor, "type" | "publicId">;
};

/** The types of events that a reader may see, of those that were requested. */
export const visibleTypes = (may: ReadonlySet<Permission>, requested?: readonly EventType[]) =>
  (requested ?? eventTypes).filter((type) => requiredFor(type).every((need) => may.has(need)));

/** The types of events that a reader may see in a history: those whose subject is shown. */
export const historyTypes = (may: ReadonlySet<Permission>) =>
  visibleTypes(may).filter((type) => !hiddenFields(type, may).includes(subjectOf(type)));

/** What decides now who sees events: boards, and who started imports; purged ones are missing. */
export type EventAccess = {
  boards: ReadonlyMap<string, BoardAccess>;
  starters: ReadonlyMap<string, bigint>;
};

/** Reads what decides who sees events. */
export async function findAccess(query: Query, rows: readonly LogRow[]): Promise<EventAccess> {
  const boards = rows.flatMap((row) =>
    [row.boardPublicId, boardAt(row, "from"), boardAt(row, "to")].filter((id) => id !== null),
  );
  const imports = rows.flatMap((row) => importIn(row) ?? []);
  const [access, starters] = await Promise.all([
    readBoardAccess(query, [...new Set(boards)]),
    findStarters(query, [...new Set(imports)]),
  ]);
  return { boards: access, starters };
}

/** The import that an event is about; undefined for every other event. */
function importIn({ type, data }: Pick<LogRow, "type" | "data">): string | undefined {
  const subject = data[subjectOf(type)];
  const isOfImport = type.startsWith("import.") && typeof subject === "object" && subject !== null;
  return isOfImport && "publicId" in subject ? String(subject.publicId) : undefined;
}

/** The ids of the users who started imports. */
async function findStarters(query: Query, publicIds: string[]): Promise<Map<string, bigint>> {
  if (publicIds.length === 0) return new Map();
  const rows = await query<{ publicId: string; createdById: bigint | null }>(
    sql`SELECT "publicId", "createdById" FROM imports WHERE "publicId" = ANY (${publicIds}::text[])`,
  );
  return new Map(
    rows.flatMap(({ publicId, createdById }) =>
      createdById === null ? [] : [[publicId, createdById] as const],
    ),
  );
}

/** Whether a reader may read the import that an event is about, if it is about one. */
function seesImport(reader: EventReader, row: LogRow, { starters }: EventAccess): boolean {
  const publicId = importIn(row);
  if (publicId === undefined || reader.may.has("workspace:manage")) return true;
  return starters.get(publicId) === reader.userId;
}

/** The part of an event that readers may see differently. */
type Redactable = Pick<
  LogRow,
  "type" | "boardPublicId" | "cardPublicId" | "data" | "changes" | "mutationId"
>;

/** The redaction key of an event that its reader sees whole. */
export const unchanged = "";
const [onlyDeparture, withoutCause, withoutMutation] = ["departure", "cause", "mutationId"];
const withoutNumbers = "numbers";

/** Redaction key: readers with the same key see the same event. Null if it is hidden. */
export function redactionFor(reader: EventReader, row: LogRow, access: EventAccess): string | null {
  if (!requiredFor(row.type).every((need) => reader.may.has(need))) return null;
  const hidden = hiddenParts(reader, row, access);
  if (hidden === null) return null;
  return row.mutationId === null || isActor(reader, row)
    ? hidden.join()
    : [...hidden, withoutMutation].join();
}

function hiddenParts(reader: EventReader, row: LogRow, access: EventAccess): string[] | null {
  if (isPersonal(row.type)) return concernsReader(reader, row) ? ["memberPublicIds"] : null;
  const lacking = hiddenFields(row.type, reader.may);
  const fields = lacking.includes(subjectOf(row.type)) ? [...lacking, withoutCause] : lacking;
  // Comments show the mapped members to all who see the boards.
  if (!seesImport(reader, row, access))
    return row.type === "import.people_mapped" ? [withoutNumbers, withoutCause] : null;
  if (row.boardPublicId === null) return reader.boardId === null ? fields : null;
  const { boards } = access;
  const before = boardBefore(row);
  const seesBefore = before !== null && sees(reader, boards.get(before));
  if (!sees(reader, boards.get(row.boardPublicId))) return seesBefore ? [onlyDeparture] : null;
  const isHidden = (side: Side) => {
    const board = boardAt(row, side);
    return board !== null && !sees(reader, boards.get(board));
  };
  if (isBetweenCards(row.type) && isHidden("to")) return null;
  return [...fields, ...sides.filter(isHidden)];
}

/** The fields that name the boards between which something moves. */
const sides = ["from", "to"] as const;
type Side = (typeof sides)[number];

/** Whether a personal event names the reader. A key of a board gets no event of another. */
function concernsReader({ memberPublicId, boardId }: EventReader, { data }: LogRow): boolean {
  const members = data["memberPublicIds"];
  return boardId === null && Array.isArray(members) && members.includes(memberPublicId);
}

const isActor = ({ actor }: EventReader, row: LogRow) =>
  actor.type === row.actorType && actor.publicId === row.actorPublicId;

/** Removes from an event what its redaction key names. */
export function applyRedaction<Row extends Redactable>(row: Row, redaction: string): Row {
  if (redaction === unchanged) return row;
  const parts = redaction.split(",");
  const visible = parts.includes(onlyDeparture) ? departure(row) : withoutFields(row, parts);
  const caused = parts.includes(withoutCause) ? { ...visible, ...noCause } : visible;
  const reduced = parts.includes(withoutNumbers)
    ? { ...caused, data: uncounted(caused.data) }
    : caused;
  return parts.includes(withoutMutation) ? { ...reduced, mutationId: null } : reduced;
}

/** Data whose numbers are 0 and whose lists are empty. */
const uncounted = (data: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, uncountedValue(value)]));

function uncountedValue(value: unknown): unknown {
  if (typeof value === "number") return 0;
  if (Array.isArray(value)) return [];
  return typeof value === "object" && value !== null ? uncounted({ ...value }) : value;
}

/** What replaces the actor and the changes of an event whose subject is hidden. */
const { type: actorType, publicId: actorPublicId, name: actorName } = actorOf(null);
const noCause = { actorType, actorPublicId, actorName, changes: null };

/** What a reader may see of an event now; null for nothing. */
export function redact(reader: EventReader, row: LogRow, access: EventAccess): LogRow | null {
  const redaction = redactionFor(reader, row, access);
  return redaction === null ? null : applyRedaction(row, redaction);
}

const fieldsOf = new Map(
  eventTypes.map((type) => [
    type,
    Object.entries<z.core.$ZodType>(catalog[type].data.shape).flatMap(([field, schema]) => {
      const permissions = [...viewPermissionsIn(schema)];
      return permissions.length === 0 ? [] : [{ field, schema, permissions }];
    }),
  ]),
);

/**
 * What a reader may not see of an event's data: a field, or `field/permission+permission` where
 * only parts of the field need the permissions that the reader lacks.
 */
export const hiddenFields = (type: EventType, may: ReadonlySet<Permission>): string[] =>
  (fieldsOf.get(type) ?? []).flatMap(({ field, schema, permissions }) => {
    const lacking = permissions.filter((permission) => !may.has(permission));
    if (lacking.length === 0) return [];
    const isShown = [...requiredToView(schema)].every((permission) => may.has(permission));
    return [isShown ? `${field}/${lacking.join("+")}` : field];
  });

/** Removes from an event's data what `hiddenFields` names. */
export function withoutFields<Row extends Pick<LogRow, "data" | "type">>(
  row: Row,
  hidden: string[],
): Row {
  if (hidden.length === 0) return row;
  const data = { ...row.data };
  for (const part of hidden) {
    const [field = "", lacking] = part.split("/");
    const declared = fieldsOf.get(row.type)?.find((each) => each.field === field);
    if (lacking === undefined || declared === undefined) delete data[field];
    else data[field] = filterField(declared.schema, data[field], heldWithout(declared, lacking));
  }
  return { ...row, data };
}

const heldWithout = ({ permissions }: { permissions: readonly Permission[] }, lacking: string) =>
  new Set(permissions.filter((permission) => !lacking.split("+").includes(permission)));

// A reader of the source board learns that the card left, and neither its content nor its target.
const departure = <Row extends Redactable>(row: Row): Row => ({
  ...row,
  boardPublicId: boardBefore(row),
  data: { card: { publicId: row.cardPublicId }, from: row.data["from"] },
  changes: null,
});
