import { checkMembersSee } from "../../kernel/access/assignees.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { conflict } from "../../platform/errors.ts";
import { memberSelect } from "../presenters/member-select.ts";
import { showMember } from "../presenters/members.ts";
import { type SelectedCard, checkFound } from "./bulk-rows.ts";
import { pairTables } from "./card-pairs.ts";

type Board = { id: bigint; publicId: string; name: string };
type Pair = { cardId: bigint; otherId: bigint };
type Names = string[] | undefined;
type Relations = {
  addLabelPublicIds?: Names;
  removeLabelPublicIds?: Names;
  addMemberPublicIds?: Names;
  removeMemberPublicIds?: Names;
};
type LabelEvents = "card.label_added" | "card.label_removed";
type MemberEvents = "card.member_added" | "card.member_removed";

/** The most labels, and the most members, that one call adds and removes: each has its event. */
const maxChanges = 10_000;

/** Adds and removes labels of cards; returns the ids of the changed cards. */
export async function changeManyLabels(
  tx: UnitOfWork<LabelEvents>,
  board: Board,
  cards: SelectedCard[],
  { addLabelPublicIds: addIds = [], removeLabelPublicIds: removeIds = [] }: Relations,
): Promise<bigint[]> {
  const labelIds = [...new Set([...addIds, ...removeIds])];
  if (labelIds.length === 0) return [];
  const labels = await tx.prisma.label.findMany({
    where: { publicId: { in: labelIds }, boardId: board.id, deletedAt: null },
  });
  const foundIds = new Set(labels.map(({ publicId }) => publicId));
  checkFound("label", addIds, foundIds, ["set", "addLabelPublicIds"]);
  checkFound("label", removeIds, foundIds, ["set", "removeLabelPublicIds"]);
  const { added, removed } = await changePairs(tx, "label", cards, labels, addIds, removeIds);
  for (const { card, other: label } of removed) {
    tx.emit("card.label_removed", { card, list: card.list, board, label });
  }
  for (const { card, other: label } of added) {
    tx.emit("card.label_added", { card, list: card.list, board, label });
  }
  return [...added, ...removed].map(({ card }) => card.id);
}

/** Assigns members to cards and unassigns them; returns the ids of the changed cards. */
export async function changeManyMembers(
  tx: UnitOfWork<MemberEvents>,
  board: Board,
  cards: SelectedCard[],
  { addMemberPublicIds: addIds = [], removeMemberPublicIds: removeIds = [] }: Relations,
): Promise<bigint[]> {
  const memberIds = [...new Set([...addIds, ...removeIds])];
  const [first] = cards;
  if (memberIds.length === 0 || first === undefined) return [];
  const members = await tx.prisma.member.findMany({
    where: { publicId: { in: memberIds }, workspaceId: first.workspaceId },
    select: memberSelect,
  });
  const present = members.filter(({ status }) => status !== "removed");
  const idsOf = (rows: typeof members) => new Set(rows.map(({ publicId }) => publicId));
  checkFound("member", addIds, idsOf(present), ["set", "addMemberPublicIds"]);
  checkFound("member", removeIds, idsOf(members), ["set", "removeMemberPublicIds"]);
  const assigned = members.filter(({ publicId }) => addIds.includes(publicId));
  const ids = assigned.map(({ id }) => id);
  if (ids.length > 0)
    await checkMembersSee(tx.query, board.id, ids, () => ["set", "addMemberPublicIds"]);
  const { added, removed } = await changePairs(tx, "member", cards, members, addIds, removeIds);
  for (const { card, other } of removed) {
    const member = showMember(other, false);
    tx.emit("card.member_removed", { card, list: card.list, board, member });
  }
  for (const { card, other } of added) {
    const member = showMember(other, false);
    tx.emit("card.member_added", { card, list: card.list, board, member });
  }
  return [...added, ...removed].map(({ card }) => card.id);
}

/** Writes the pairs of cards and their labels or members, in one statement for each direction. */
async function changePairs<Other extends { id: bigint; publicId: string }>(
  tx: UnitOfWork,
  kind: keyof typeof pairTables,
  cards: SelectedCard[],
  others: Other[],
  addIds: string[],
  removeIds: string[],
) {
  const { table, column } = pairTables[kind];
  const [first] = cards;
  const cardIds = cards.map(({ id }) => id);
  const idsOf = (names: string[]) =>
    others.filter(({ publicId }) => names.includes(publicId)).map(({ id }) => id);
  const pairs = async (names: string[], statement: (ids: bigint[]) => Sql) => {
    const ids = idsOf(names);
    if (ids.length === 0 || first === undefined) return [];
    const rows = await tx.query<Pair>(statement(ids));
    const changedPairs = new Set(rows.map(({ cardId, otherId }) => `${cardId} ${otherId}`));
    return cards.flatMap((card) =>
      others
        .filter(({ id }) => changedPairs.has(`${card.id} ${id}`))
        .map((other) => ({ card, other })),
    );
  };
  const removed = await pairs(
    removeIds,
    (ids) => sql`DELETE FROM ${table} WHERE "cardId" = ANY(${cardIds}::bigint[])
      AND ${column} = ANY(${ids}::bigint[]) RETURNING "cardId", ${column} AS "otherId"`,
  );
  const added = await pairs(
    addIds,
    (ids) => sql`INSERT INTO ${table} ("cardId", ${column}, "workspaceId", "createdAt")
      SELECT card, other, ${first?.workspaceId ?? 0n}::bigint, ${tx.now}::timestamptz
      FROM unnest(${cardIds}::bigint[]) AS card CROSS JOIN unnest(${ids}::bigint[]) AS other
      ON CONFLICT DO NOTHING RETURNING "cardId", ${column} AS "otherId"`,
  );
  const count = added.length + removed.length;
  if (count > maxChanges) {
    const message = `The call changes ${count} ${kind}s of cards; the limit is ${maxChanges}.`;
    throw conflict("limit_exceeded", message, ["set"]);
  }
  return { added, removed };
}
