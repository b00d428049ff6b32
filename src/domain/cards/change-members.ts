import { memberWithoutAccess, seesBoard } from "../../kernel/access/assignees.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql } from "../../platform/db/sql.ts";
import { notFound } from "../../platform/errors.ts";
import { showMember, type MemberView } from "../presenters/members.ts";
import type { CardParents } from "./change-labels.ts";
import { memberName } from "../../kernel/access/member-name.ts";
import { writePairs } from "./card-pairs.ts";
import { differences, namedIn, type SetChange } from "./set-change.ts";

type Row = Omit<MemberView, "user" | "role"> & {
  id: bigint;
  shownName: string;
  userName: string | null;
  image: string | null;
  role: string;
  rolePublicId: string;
  isService: boolean;
  isOnCard: boolean;
  seesBoard: boolean;
};

const membersOf = (cardId: bigint, publicIds: string[]) => sql`
  SELECT m.id, m."publicId", m.email, m.status::text AS status, m.version, m."createdAt",
    m."joinedAt", ${memberName} AS "shownName", u.name AS "userName", u.image, u."isService", r.name AS role,
    r."publicId" AS "rolePublicId", named."isOnCard", ${seesBoard} AS "seesBoard"
  FROM cards c JOIN boards b ON b.id = c."boardId" CROSS JOIN LATERAL (
    SELECT id, bool_or("isOnCard") AS "isOnCard" FROM (
      SELECT cm."memberId" AS id, true AS "isOnCard" FROM card_members cm WHERE cm."cardId" = c.id
      UNION ALL SELECT id, false FROM members WHERE "publicId" = ANY(${publicIds}::text[])) one
    GROUP BY id) named
  JOIN members m ON m.id = named.id AND m."workspaceId" = c."workspaceId"
  JOIN roles r ON r.id = m."roleId" LEFT JOIN users u ON u.id = m."userId"
  WHERE c.id = ${cardId} ORDER BY "shownName", m."publicId"`;

/**
 * Changes the members of a locked card; returns the members that it assigned and unassigned.
 *
 * 404 for a member of another workspace, 409 for one who cannot see the board.
 */
export async function changeCardMembers(
  tx: UnitOfWork<"card.member_added" | "card.member_removed">,
  card: { id: bigint; workspaceId: bigint },
  { card: shownCard, list, board }: CardParents,
  change: SetChange,
  path: string[] = [],
): Promise<{ added: string[]; removed: string[] }> {
  const members = await tx.query<Row>(membersOf(card.id, namedIn(change)));
  const parents = { card: shownCard, list, board };
  const memberIds = new Set(members.map(({ publicId }) => publicId));
  if (namedIn(change).some((id) => !memberIds.has(id))) throw notFound("member");
  const current = new Set(members.flatMap((member) => (member.isOnCard ? [member.publicId] : [])));
  const { added, removed } = differences(change, current);
  const byId = members.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const rowsOf = (ids: string[]) => byId.filter(({ publicId }) => ids.includes(publicId));
  const [addedMembers, removedMembers] = [rowsOf(added), rowsOf(removed)];
  if (addedMembers.some(({ status }) => status === "removed")) throw notFound("member");
  if (addedMembers.some((member) => !member.seesBoard)) throw memberWithoutAccess(path);
  writePairs(tx, "member", card, { added: addedMembers, removed: removedMembers });
  for (const member of removedMembers)
    tx.emit("card.member_removed", { ...parents, member: view(member) });
  for (const member of addedMembers)
    tx.emit("card.member_added", { ...parents, member: view(member) });
  return { added, removed };
}

const view = ({ userName, image, isService, role, rolePublicId, ...row }: Row) =>
  showMember(
    {
      ...row,
      user: userName === null ? null : { name: userName, image, isService },
      role: { name: role, publicId: rolePublicId },
    },
    false,
  );
