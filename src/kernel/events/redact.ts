import type { Permission } from "../../contract/vocabulary/permissions.ts";
import type { Query } from "../../platform/db/query.ts";
import { eventTypes, type EventType } from "../../contract/events.ts";
import { boardBefore, type LogRow } from "./log.ts";
import { sql } from "../../platform/db/sql.ts";

type Kind = EventType extends infer Type
  ? Type extends `${infer Name}.${string}`
    ? Name
    : never
  : never;

/** What somebody must hold to be told of a kind of thing: what they need to read it. */
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

/** As whom the log is read: their permissions now, their member's id, and the board that their key is bound to. */
export type Reader = {
  may: ReadonlySet<Permission>;
  memberId: bigint;
  boardId: bigint | null;
};

/** The types of events that somebody may be told of, out of those that they asked for. */
export const visibleTypes = (may: ReadonlySet<Permission>, asked?: readonly EventType[]) =>
  (asked ?? eventTypes).filter((type) => needsOf.get(type)?.every((need) => may.has(need)));

/** The boards that some events are about, as they are now; one that is gone for good is not there. */
export type Boards = ReadonlyMap<string, Board>;
type Board = { id: bigint; members: ReadonlySet<bigint> | "all" };

const find = (ids: string[]) =>
  sql`SELECT b."publicId", b.id, b.visibility = 'restricted' AS "isRestricted",
    ARRAY(SELECT bm."memberId" FROM board_members bm WHERE bm."boardId" = b.id AND b.visibility = 'restricted') AS members
  FROM boards b WHERE b."publicId" = ANY (${ids}::text[])`;
type Row = { publicId: string; id: bigint; isRestricted: boolean; members: (bigint | string)[] };

/** Looks the boards of some events up. */
export async function findBoards(query: Query, rows: readonly LogRow[]): Promise<Boards> {
  const ids = [
    ...new Set(rows.flatMap((row) => [row.boardPublicId ?? [], boardBefore(row) ?? []].flat())),
  ];
  if (ids.length === 0) return new Map();
  const found = await query<Row>(find(ids));
  return new Map(
    found.map(({ publicId, id, isRestricted, members }) => [
      publicId,
      { id, members: isRestricted ? new Set(members.map(BigInt)) : "all" },
    ]),
  );
}

/** An event as somebody may be told of it now, by what they may do now and by how its board stands now; null when it is not for them. Whoever may see only the board that a card has left is told that it left, not where to. */
export function redact(reader: Reader, row: LogRow, boards: Boards): LogRow | null {
  if (!needsOf.get(row.type)?.every((need) => reader.may.has(need))) return null;
  if (row.boardPublicId === null) return reader.boardId === null ? row : null;
  if (seesBoard(reader, boards.get(row.boardPublicId))) return row;
  const before = boardBefore(row);
  if (before === null || !seesBoard(reader, boards.get(before))) return null;
  return departure(row, before);
}

function seesBoard({ may, memberId, boardId }: Reader, board: Board | undefined): boolean {
  if (boardId !== null && board?.id !== boardId) return false;
  if (may.has("workspace:manage")) return true;
  return board !== undefined && (board.members === "all" || board.members.has(memberId));
}

// Of the card only which it is: what it says now is the other board's.
const departure = (row: LogRow, boardPublicId: string): LogRow => ({
  ...row,
  boardPublicId,
  data: { card: { publicId: row.cardPublicId }, from: row.data["from"] },
  changes: null,
});
