import { isBetweenCards } from "../../contract/vocabulary/between-cards.ts";
import {
  relationKinds,
  seenKinds,
  type RelationKind,
} from "../../contract/vocabulary/relation-kinds.ts";
import { memberName } from "../../kernel/access/member-name.ts";
import { isoText } from "../../platform/db/iso-text.ts";
import { newPublicIdSql } from "../../platform/db/public-id.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { Part, RowsPart } from "./part.ts";
import type { OnCard } from "./rows-sql.ts";
import { isShown } from "../related/related-sql.ts";

type Row = OnCard & { publicId: string; kind: RelationKind; position: number; card: object };
type Thing = { publicId: string; kind: RelationKind; position: number; card: object };

const inverse = sql.join(
  Object.entries(relationKinds).map(
    ([kind, other]) => sql`WHEN ${sql.word(kind)} THEN ${sql.word(other)}`,
  ),
  sql` `,
);
/** SQL: each relation twice, as its two ends see it: `cardId` is an end, and `otherId` the other. */
const ends = sql`(SELECT r.id, r."publicId", r."fromId" AS "cardId", r."toId" AS "otherId",
      r.kind::text AS kind, r.position FROM card_relations r
    UNION ALL SELECT r.id, r."publicId", r."toId", r."fromId",
      CASE r.kind::text ${inverse} END, r.position FROM card_relations r)`;
/** SQL: those whose other end is not in the trash. OFFSET 0: each is found by its id. */
const from = sql`${ends} e
  CROSS JOIN LATERAL (SELECT * FROM cards WHERE id = e."otherId" AND "deletedAt" IS NULL OFFSET 0) o
  CROSS JOIN LATERAL (SELECT * FROM lists WHERE id = o."listId" AND "deletedAt" IS NULL OFFSET 0) l
  CROSS JOIN LATERAL (SELECT * FROM boards WHERE id = o."boardId" AND "deletedAt" IS NULL OFFSET 0) b
  CROSS JOIN LATERAL (SELECT * FROM workspaces WHERE id = o."workspaceId" OFFSET 0) w`;
const isOn = (cardId: Sql) => sql`e."cardId" = ${cardId}`;

const members = sql`(SELECT coalesce(json_agg(json_build_object('publicId', m."publicId",
      'name', ${memberName}, 'image', u.image) ORDER BY ${memberName}, m."publicId"), '[]')
    FROM card_members cm JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed'
    LEFT JOIN users u ON u.id = m."userId" WHERE cm."cardId" = o.id)`;

const rows: RowsPart<Row, Thing> = {
  kind: "relation",
  columns: sql`e."publicId", e.kind, e.position, json_build_object('publicId', o."publicId",
    'title', o.title, 'cardNumber', w."cardPrefix" || '-' || o.number,
    'boardPublicId', b."publicId",
    'list', json_build_object('publicId', l."publicId", 'name', l.name),
    'isComplete', o."completedAt" IS NOT NULL, 'isArchived', o."archivedAt" IS NOT NULL,
    'dueDate', ${isoText(sql`o."dueDate"`)}, 'isDueAllDay', o."isDueAllDay",
    'members', ${members}) AS card`,
  from,
  isOn,
  first: sql`e.position`,
  second: sql`e.id`,
  start: [-1, 0n],
  textBytes: sql`500 + octet_length(o.title)`,
  otherBoard: sql`b`,
  things: (read) =>
    read
      .map(({ publicId, kind, position, card }) => ({
        publicId,
        kind,
        // Lines of snapshots have a kind of their own.
        relationKind: kind,
        position,
        card,
      }))
      .toSorted((one, other) => seenKinds.indexOf(one.kind) - seenKinds.indexOf(other.kind)),
  stored: ({ kind, position, card }) => ({
    kind,
    position,
    cardPublicId: "publicId" in card ? card.publicId : null,
  }),
};

/**
 * SQL: the other ends of relations `e` that lists of cards tell of: of the same board, neither
 * archived nor in the trash. Whoever sees a card sees its board.
 */
const onSameBoard = sql`(SELECT r."toId" AS "cardId", r."fromId" AS "otherId", true AS "isTo", r.kind
    FROM card_relations r WHERE r.kind IN ('blocks', 'parent')
    UNION ALL SELECT r."fromId", r."toId", false, r.kind
    FROM card_relations r WHERE r.kind IN ('blocks', 'parent')) e
  JOIN cards o ON o.id = e."otherId" AND ${isShown(sql`o`)}
  JOIN lists l ON l.id = o."listId" AND ${isShown(sql`l`)}
  JOIN cards own ON own.id = e."cardId" AND own."boardId" = o."boardId"`;
const idsWhere = (
  isKind: Sql,
) => sql`coalesce(json_agg(o."publicId" ORDER BY o."publicId" COLLATE "C")
  FILTER (WHERE ${isKind}), '[]')`;
const [isBlocker, isBlocked] = [
  sql`e.kind = 'blocks' AND e."isTo"`,
  sql`e.kind = 'blocks' AND NOT e."isTo"`,
];
const [isParent, isChild] = [
  sql`e.kind = 'parent' AND e."isTo"`,
  sql`e.kind = 'parent' AND NOT e."isTo"`,
];

/** What a card is to others. */
export const relations = {
  from: onSameBoard,
  isOn: (cardId) => sql`${isOn(cardId)} HAVING count(*) > 0`,
  summary: {
    empty: {
      openBlockers: 0,
      children: { total: 0, completed: 0 },
      relatedCards: { parent: null, children: [], blocks: [], blockedBy: [] },
    },
    columns: {
      id: sql`0`,
      publicId: sql`''`,
      name: sql`json_build_object(
        'openBlockers', count(*) FILTER (WHERE ${isBlocker} AND o."completedAt" IS NULL),
        'children', json_build_object('total', count(*) FILTER (WHERE ${isChild}),
          'completed', count(o."completedAt") FILTER (WHERE ${isChild})),
        'relatedCards', json_build_object(
          'parent', min(o."publicId") FILTER (WHERE ${isParent}),
          'children', ${idsWhere(isChild)}, 'blocks', ${idsWhere(isBlocked)},
          'blockedBy', ${idsWhere(isBlocker)}))::text`,
      extra: sql`NULL`,
    },
  },
  // Those to cards in the trash too: nothing changes on cards when another one is deleted.
  kept: {
    columns: { hasRelations: sql`count(*) > 0` },
    from: sql`card_relations r`,
    isOn: (cardId) => sql`(r."fromId" = ${cardId} OR r."toId" = ${cardId})`,
    isChangedBy: ({ type }) => isBetweenCards(type),
  },
  rows,
  csv: { columns: [] },
  copied: [
    {
      table: "card_relations",
      alias: "r",
      from: sql`card_relations r`,
      isOn: sql`r."fromId" = c.id`,
      // Only relations within the copy.
      insert: ({ ids, cardIds, copies, workspaceId }) => {
        const cards = [...(copies.get("cards") ?? [])];
        return sql`INSERT INTO card_relations ("publicId", "workspaceId", kind, "fromId", "toId",
            position)
          SELECT ${newPublicIdSql(sql`r.id`)}, ${workspaceId}::bigint, r.kind, new.card, other.copy, r.position
          FROM unnest(${ids}::bigint[], ${cardIds}::bigint[]) AS new(id, card)
          JOIN card_relations r ON r.id = new.id
          JOIN unnest(${cards.map(([source]) => source)}::bigint[],
            ${cards.map(([, copy]) => copy)}::bigint[]) AS other(id, copy) ON other.id = r."toId"`;
      },
    },
  ],
  toWorkspace: {
    card_relations: (where, targetId) => [
      sql`UPDATE card_relations SET "workspaceId" = ${targetId} WHERE ${where}`,
    ],
  },
} satisfies Part;
