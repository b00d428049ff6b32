import { memberWithoutAccess, seesBoard } from "../../kernel/access/assignees.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Card } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { notFound } from "../../platform/errors.ts";
import { viewMember, type MemberView } from "../views/members.ts";
import type { CardParents } from "./change-labels.ts";
import { memberName } from "../../kernel/access/member-name.ts";
import { sendPairs } from "./card-pairs.ts";
import { differences, namedIn, rowsAfter, type SetChange } from "./set-change.ts";
import { cardWithId, noteState, readEventFields } from "./event-fields.ts";

type Row = Omit<MemberView, "user" | "role"> & {
  id: bigint;
  shownName: string;
  userName: string | null;
  image: string | null;
  role: string;
  rolePublicId: string;
  isOnCard: boolean;
  seesBoard: boolean;
};

const membersOf = (isCard: Sql, publicIds: string[]) => sql`
  SELECT m.id, m."publicId", m.email, m.status::text AS status, m.version, m."createdAt",
    m."joinedAt", ${memberName} AS "shownName", u.name AS "userName", u.image, r.name AS role,
    r."publicId" AS "rolePublicId", named."isOnCard", ${seesBoard} AS "seesBoard"
  FROM cards c JOIN boards b ON b.id = c."boardId" CROSS JOIN LATERAL (
    SELECT id, bool_or("isOnCard") AS "isOnCard" FROM (
      SELECT cm."memberId" AS id, true AS "isOnCard" FROM card_members cm WHERE cm."cardId" = c.id
      UNION ALL SELECT id, false FROM members WHERE "publicId" = ANY(${publicIds}::text[])) one
    GROUP BY id) named
  JOIN members m ON m.id = named.id AND m."workspaceId" = c."workspaceId"
  JOIN roles r ON r.id = m."roleId" LEFT JOIN users u ON u.id = m."userId"
  WHERE ${isCard} ORDER BY "shownName", m."publicId"`;

/** The members of a locked card and those that a change names, in the order of a card. */
type CardMembers = Row[];

const readCardMembers = (query: Query, isCard: Sql, change: SetChange): Promise<CardMembers> =>
  query<Row>(membersOf(isCard, namedIn(change)));

/** Reads, behind the lock of a card, what its state shows and the members of a change. */
export function readMemberState(query: Query, cardPublicId: string, change: SetChange) {
  const isCard = cardWithId(cardPublicId);
  const reading = [readCardMembers(query, isCard, change), readEventFields(query, isCard)] as const;
  return Promise.all(reading);
}

type MemberContext = CardParents & {
  card: Card;
  workspace: { cardPrefix: string };
  tx: UnitOfWork<"card.member_added" | "card.member_removed">;
};

/** Changes the members of a locked card with its state, which it notes; returns what it added. */
export async function changeMemberState(
  { card, list, board, workspace, tx }: MemberContext,
  change: SetChange,
  [found, eventFields]: Awaited<ReturnType<typeof readMemberState>>,
): Promise<string[]> {
  const at = { card, list, board };
  const changed = await changeCardMembers(tx, card, at, change, [], found);
  const members = rowsAfter(found, changed)
    .filter(({ status }) => status !== "removed")
    .map(({ publicId, shownName: name, image }) => ({ publicId, name, image }));
  noteState(tx, card, { workspace }, eventFields, { members });
  return changed.added;
}

/**
 * Changes the members of a locked card; returns the members that it assigned and unassigned.
 *
 * 404 for a member of another workspace, 409 for one who cannot see the board.
 */
export async function changeCardMembers(
  tx: UnitOfWork<"card.member_added" | "card.member_removed">,
  card: { id: bigint; workspaceId: bigint },
  at: CardParents,
  change: SetChange,
  path: string[] = [],
  found?: CardMembers,
): Promise<{ added: string[]; removed: string[] }> {
  const members = found ?? (await readCardMembers(tx.query, sql`c.id = ${card.id}`, change));
  const known = new Set(members.map(({ publicId }) => publicId));
  if (namedIn(change).some((id) => !known.has(id))) throw notFound("member");
  const current = new Set(members.flatMap((one) => (one.isOnCard ? [one.publicId] : [])));
  const { added, removed } = differences(change, current);
  const byId = members.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const rowsOf = (ids: string[]) => byId.filter(({ publicId }) => ids.includes(publicId));
  const [on, off] = [rowsOf(added), rowsOf(removed)];
  if (on.some(({ status }) => status === "removed")) throw notFound("member");
  if (on.some((one) => !one.seesBoard)) throw memberWithoutAccess(path);
  sendPairs(tx, "member", card, { added: on, removed: off });
  for (const one of off) tx.emit("card.member_removed", { ...at, member: view(one) });
  for (const one of on) tx.emit("card.member_added", { ...at, member: view(one) });
  return { added, removed };
}

const view = ({ userName, image, role, rolePublicId, ...row }: Row) =>
  viewMember(
    {
      ...row,
      user: userName === null ? null : { name: userName, image },
      role: { name: role, publicId: rolePublicId },
    },
    false,
  );
