import { memberName } from "../../kernel/access/member-name.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { Part } from "./part.ts";

const from = sql`card_members cm JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed'
  LEFT JOIN users u ON u.id = m."userId"`;
const isOn = (cardId: Sql) => sql`cm."cardId" = ${cardId}`;

/** SQL: members `o`, and `n`, who are the same users in another workspace. */
export const sameUser = (targetId: bigint) => sql`members o JOIN members n
  ON n."userId" = o."userId" AND n."workspaceId" = ${targetId} AND n.status = 'active'`;

/** SQL: moves rows of members to another workspace; those of who is not there are deleted. */
export const moveMembers = (name: string, where: Sql, targetId: bigint): Sql[] => {
  const table = sql.identifier(name);
  return [
    sql`UPDATE ${table} t SET "memberId" = n.id, "workspaceId" = ${targetId}
      FROM ${sameUser(targetId)} WHERE o.id = t."memberId" AND t.${where}`,
    sql`DELETE FROM ${table} WHERE ${where} AND "workspaceId" <> ${targetId}`,
  ];
};

/** The members who are assigned to a card. */
export const members = {
  from,
  isOn,
  summary: {
    field: "members",
    columns: {
      id: sql`m.id`,
      publicId: sql`m."publicId"`,
      name: memberName,
      extra: sql`u.image`,
    },
    max: 1_000,
    view: ({ publicId, name, extra }) => ({ publicId, name, image: extra }),
  },
  kept: {
    columns: { hasMembers: sql`count(*) > 0` },
    from: sql`card_members cm`,
    isOn,
    isChangedBy: ({ type }) => type.startsWith("card.member_"),
  },
  csv: { columns: ["members"] },
  copied: [{ table: "card_members", alias: "cm", pairedBy: "memberId" }],
  toWorkspace: { card_members: (where, targetId) => moveMembers("card_members", where, targetId) },
  assigned: {
    table: "card_members",
    cardId: sql`"cardId"`,
    isOn: (cards) => sql`"cardId" IN (${cards})`,
    unassign: (where) => sql`DELETE FROM card_members WHERE ${where}`,
  },
} satisfies Part;
