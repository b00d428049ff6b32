import { checkMembersSee } from "../../kernel/access/assignees.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql } from "../../platform/db/sql.ts";
import { notFound } from "../../platform/errors.ts";
import { memberSelect } from "../views/member-select.ts";
import { viewMember } from "../views/members.ts";
import type { CardParents } from "./change-labels.ts";
import { differences, namedIn, type SetChange } from "./set-change.ts";

/**
 * Changes the members of a locked card; returns the members that it assigned.
 *
 * 404 for a member of another workspace, 409 for one who cannot see the board.
 */
export async function changeCardMembers(
  tx: UnitOfWork<"card.member_added" | "card.member_removed">,
  card: { id: bigint; workspaceId: bigint },
  at: CardParents,
  change: SetChange,
  path: string[] = [],
): Promise<string[]> {
  const named = namedIn(change);
  const { id: cardId, workspaceId } = card;
  const members = await tx.prisma.member.findMany({
    where: {
      workspaceId,
      OR: [{ publicId: { in: named } }, { cards: { some: { cardId } } }],
    },
    select: { ...memberSelect, cards: { where: { cardId }, select: { cardId: true } } },
    orderBy: { id: "asc" },
  });
  const known = new Map(members.map((member) => [member.publicId, member]));
  if (named.some((id) => !known.has(id))) throw notFound("member");
  const current = new Set(members.flatMap((one) => (one.cards.length > 0 ? [one.publicId] : [])));
  const { added, removed } = differences(change, current);
  const rowsOf = (ids: string[]) => members.filter(({ publicId }) => ids.includes(publicId));
  const [on, off] = [rowsOf(added), rowsOf(removed)];
  const idsOf = (rows: typeof members) => rows.map(({ id }) => id);
  if (on.some(({ status }) => status === "removed")) throw notFound("member");
  if (off.length > 0) {
    await tx.query(sql`DELETE FROM card_members
      WHERE "cardId" = ${cardId} AND "memberId" = ANY(${idsOf(off)}::bigint[])`);
  }
  if (on.length > 0) {
    await checkMembersSee(tx.query, at.board.id, idsOf(on), path);
    await tx.query(sql`INSERT INTO card_members ("cardId", "memberId", "workspaceId", "createdAt")
      SELECT ${cardId}::bigint, member, ${workspaceId}::bigint, ${tx.now}::timestamptz
      FROM unnest(${idsOf(on)}::bigint[]) AS member`);
  }
  for (const one of off) {
    tx.emit("card.member_removed", { ...at, member: viewMember(one, false) });
  }
  for (const one of on) tx.emit("card.member_added", { ...at, member: viewMember(one, false) });
  return added;
}
