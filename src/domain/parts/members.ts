import { memberName } from "../../kernel/access/member-name.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { Part, ShownDetail } from "./part.ts";
import { jsonRows } from "./rows-sql.ts";

/** The most members that a card shows. */
const maxMembers = 1_000;

const from = sql`card_members cm JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed'
  LEFT JOIN users u ON u.id = m."userId"`;
const isOn = (cardId: Sql) => sql`cm."cardId" = ${cardId}`;
const ofCard = sql`${from} WHERE ${isOn(sql`c.id`)}`;
const shown = sql`m."publicId", ${memberName} AS name, u.image`;

/** SQL: the members of all cards of a board that are not archived, or of some cards. */
const idsOn = (boardId: bigint, cardIds?: readonly string[]) =>
  cardIds === undefined
    ? sql`SELECT cm."memberId" FROM cards c JOIN card_members cm ON ${isOn(sql`c.id`)}
      WHERE c."boardId" = ${boardId} AND c."deletedAt" IS NULL AND c."archivedAt" IS NULL`
    : sql`SELECT cm."memberId" FROM unnest(${cardIds}::bigint[]) AS c(id)
      CROSS JOIN LATERAL (SELECT cm."memberId" FROM card_members cm
        WHERE ${isOn(sql`c.id`)} OFFSET 0) cm`;

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
    view: ({ publicId, name, extra }) => ({ publicId, name, image: extra }),
    views: (boardId, cardIds) => sql`SELECT m.id, ${shown},
        row_number() OVER (ORDER BY ${memberName}, m."publicId")::int AS rank
      FROM members m LEFT JOIN users u ON u.id = m."userId"
      WHERE m.status <> 'removed' AND m.id IN (${idsOn(boardId, cardIds)})`,
  },
  detail: {
    columns: (cardId) => ({
      members: jsonRows(sql`SELECT ${shown} FROM ${from} WHERE ${isOn(cardId)}
        ORDER BY 2, m.id LIMIT ${sql.number(maxMembers)}`),
    }),
    none: { members: [] },
    show: ({ members: all }: Pick<ShownDetail, "members">) => ({ members: all }),
  },
  csv: {
    members: {
      select: sql`SELECT string_agg(${memberName}, ', ' ORDER BY ${memberName}, m.id)
        FROM ${ofCard}`,
      isText: true,
    },
  },
  copied: [
    { table: "card_members", alias: "cm", from, isOn: isOn(sql`c.id`), pairedBy: "memberId" },
  ],
  toWorkspace: { card_members: (where, targetId) => moveMembers("card_members", where, targetId) },
  assigned: {
    table: "card_members",
    isOn: (cards) => sql`"cardId" IN (${cards})`,
    unassign: (where) => sql`DELETE FROM card_members WHERE ${where}`,
  },
  exported: {
    columns: {
      memberPublicIds: sql`ARRAY(SELECT m."publicId" FROM ${ofCard} ORDER BY m.id)`,
    },
  },
} satisfies Part;
