import { version } from "../../../src/platform/version.ts";
import { allowed, type Database, iso } from "./database.ts";

const ping = { name: "ping", text: "SELECT 1" };

/** Whether the database answers. */
export async function health({ query }: Database) {
  await query(ping, []);
  return { status: "ok", version, database: "ok", storage: "ok", queueLagSeconds: 0 };
}

const workspaces = {
  name: "workspaces",
  text: `SELECT r.name AS role, w."publicId", w.name, w.description, w.slug, w."weekStartDay", w."cardPrefix"
    FROM sessions s JOIN users u ON u.id = s."userId" AND u."deletedAt" IS NULL
    JOIN members m ON m."userId" = u.id AND m.status = 'active'
    JOIN workspaces w ON w.id = m."workspaceId" AND w."deletedAt" IS NULL JOIN roles r ON r.id = m."roleId"
    WHERE s."publicId" = $1 AND s."revokedAt" IS NULL AND s."expiresAt" > now()
    ORDER BY lower(w.name), w.id`,
};

/** The workspaces of the user of a session. */
export async function workspaceList({ query }: Database, session: string) {
  const rows = await query(workspaces, [session]);
  return rows.map(({ role, ...workspace }) => ({
    role,
    workspace: { ...workspace, deletedAt: null },
  }));
}

/** The claim of the card `c`. */
export const claim = `CASE WHEN c."claimedById" IS NOT NULL THEN (SELECT json_build_object(
    'member', json_build_object('publicId', m."publicId", 'name', coalesce(u.name, split_part(m.email, '@', 1)), 'image', u.image),
    'expiresAt', c."claimExpiresAt")
  FROM members m LEFT JOIN users u ON u.id = m."userId" WHERE m.id = c."claimedById" AND m.status <> 'removed') END AS claim`;

const card = {
  name: "card",
  text: `SELECT c."publicId", c.title, c.description, c."dueDate", c."isDueAllDay", c."isStartAllDay", w."cardPrefix" || '-' || c.number AS "cardNumber", c."startDate",
      c."completedAt", c."archivedAt", c.priority, c.version, c."createdAt", c."updatedAt", ${claim},
      (SELECT count(*)::int FROM cards o WHERE o."listId" = c."listId" AND o."deletedAt" IS NULL AND o."archivedAt" IS NULL
        AND o.position < c.position) AS index,
      l."publicId" AS "listPublicId", b."publicId" AS "boardPublicId", w."publicId" AS "workspacePublicId",
      coalesce((SELECT json_agg(json_build_object('publicId', la."publicId", 'name', la.name, 'colourCode', la."colourCode") ORDER BY la.name, la.id)
        FROM card_labels cl JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL WHERE cl."cardId" = c.id), '[]') AS labels,
      coalesce((SELECT json_agg(json_build_object('publicId', mm."publicId", 'name', coalesce(mu.name, split_part(mm.email, '@', 1)), 'image', mu.image) ORDER BY mu.name, mm.id)
        FROM card_members cm JOIN members mm ON mm.id = cm."memberId" AND mm.status <> 'removed' LEFT JOIN users mu ON mu.id = mm."userId"
        WHERE cm."cardId" = c.id), '[]') AS members,
      coalesce((SELECT json_agg(json_build_object('publicId', ch."publicId", 'name', ch.name, 'version', ch.version, 'items',
          coalesce((SELECT json_agg(json_build_object('publicId', i."publicId", 'title', i.title, 'isComplete', i."completedAt" IS NOT NULL, 'completed', i."completedAt" IS NOT NULL,
              'memberPublicId', im."publicId", 'dueDate', i."dueDate", 'isDueAllDay', i."isDueAllDay", 'version', i.version) ORDER BY i.position)
            FROM checklist_items i LEFT JOIN members im ON im.id = i."memberId"
            WHERE i."checklistId" = ch.id AND i."deletedAt" IS NULL), '[]')) ORDER BY ch.position)
        FROM checklists ch WHERE ch."cardId" = c.id AND ch."deletedAt" IS NULL), '[]') AS checklists,
      coalesce((SELECT json_object_agg(f."publicId", coalesce(v.text, v.number::text)) FROM card_field_values v
        JOIN custom_fields f ON f.id = v."fieldId" AND f."deletedAt" IS NULL WHERE v."cardId" = c.id), '{}') AS fields,
      (SELECT count(*)::int FROM comments WHERE "cardId" = c.id AND "deletedAt" IS NULL) AS comments,
      (SELECT count(*)::int FROM attachments WHERE "cardId" = c.id AND "deletedAt" IS NULL AND status = 'stored') AS attachments,
      EXISTS (SELECT FROM card_watchers cw WHERE cw."cardId" = c.id AND cw."userId" = u.id) AS "isWatching"
    FROM cards c JOIN lists l ON l.id = c."listId" AND l."deletedAt" IS NULL JOIN boards b ON b.id = c."boardId" AND b."deletedAt" IS NULL
    JOIN workspaces w ON w.id = c."workspaceId" AND w."deletedAt" IS NULL ${allowed("card:view")}
    WHERE c."publicId" = $2 AND c."deletedAt" IS NULL`,
};

/** A card with its relations, in one query. */
export async function cardGet({ query }: Database, session: string, id: string) {
  const [row] = await query(card, [session, id]);
  for (const { items } of row.checklists)
    for (const item of items) item.dueDate = iso(item.dueDate);
  return {
    ...cardInfo(row),
    index: row.archivedAt === null ? row.index : null,
    listPublicId: row.listPublicId,
    boardPublicId: row.boardPublicId,
    workspacePublicId: row.workspacePublicId,
    claim: row.claim,
    labels: row.labels,
    members: row.members,
    checklists: row.checklists.map(({ items, ...checklist }: any) => ({
      ...checklist,
      itemCount: items.length,
      items,
    })),
    attachments: [],
    fields: row.fields,
    commentCount: row.comments,
    attachmentCount: row.attachments,
    // No card of the benchmarks is related to another one.
    relations: [],
    isWatching: row.isWatching,
  };
}

/** The fields of a card itself. */
export const cardInfo = (row: any) => ({
  publicId: row.publicId,
  title: row.title,
  description: row.description,
  dueDate: iso(row.dueDate),
  isDueAllDay: row.isDueAllDay,
  cardNumber: row.cardNumber,
  startDate: iso(row.startDate),
  isStartAllDay: row.isStartAllDay,
  isComplete: row.completedAt !== null,
  isArchived: row.archivedAt !== null,
  priority: row.priority,
  version: row.version,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
});
