import { allowed, type Database, iso } from "./database.ts";
import { claim } from "./reads.ts";

const board = {
  name: "board",
  text: `SELECT b.*, w."publicId" AS "workspacePublicId"
    FROM boards b JOIN workspaces w ON w.id = b."workspaceId" AND w."deletedAt" IS NULL ${allowed("board:view")}
    WHERE b."publicId" = $2 AND b."deletedAt" IS NULL`,
};
const lists = {
  name: "lists",
  text: `SELECT id, "publicId", name, "wipLimit", "wipMode", "archivedAt", version, "createdAt", "updatedAt",
      CASE WHEN "wipLimit" IS NULL OR "wipMode" = 'off' THEN 0 ELSE greatest("wipLimit",
        (SELECT count(*)::int FROM cards c WHERE c."listId" = lists.id AND c."deletedAt" IS NULL
          AND c."archivedAt" IS NULL)) - "wipLimit" END AS "cardsOverLimit"
    FROM lists WHERE "boardId" = $1 AND "deletedAt" IS NULL AND "archivedAt" IS NULL ORDER BY position`,
};
const labels = {
  name: "labels",
  text: `SELECT "publicId", name, "colourCode" FROM labels WHERE "boardId" = $1 AND "deletedAt" IS NULL ORDER BY name, id`,
};
const fields = {
  name: "fields",
  text: `SELECT "publicId", name, type, unit, "isShownOnCard" FROM custom_fields WHERE "boardId" = $1 AND "deletedAt" IS NULL ORDER BY position`,
};
const cards = {
  name: "cards",
  text: `SELECT c.id, c."publicId", c."listId", w."cardPrefix" || '-' || c.number AS "cardNumber", c.title,
      coalesce(c.description, '') <> '' AS "hasDescription", c."startDate", c."isStartAllDay", c."dueDate", c."isDueAllDay", c."completedAt", c.priority, c.version, ${claim}
    FROM cards c JOIN workspaces w ON w.id = c."workspaceId"
    WHERE c."boardId" = $1 AND c."deletedAt" IS NULL AND c."archivedAt" IS NULL ORDER BY c."listId", c.position`,
};
const on = `cards c`;
const live = `c."boardId" = $1 AND c."deletedAt" IS NULL AND c."archivedAt" IS NULL`;
const relations = {
  name: "relations",
  text: `SELECT c.id, 1 AS kind, la."publicId", la.name, la."colourCode" AS extra, 0 AS total, 0 AS done
      FROM ${on} JOIN card_labels cl ON cl."cardId" = c.id JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL WHERE ${live}
    UNION ALL SELECT c.id, 2, m."publicId", coalesce(u.name, split_part(m.email, '@', 1)), u.image, 0, 0
      FROM ${on} JOIN card_members cm ON cm."cardId" = c.id JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed'
      LEFT JOIN users u ON u.id = m."userId" WHERE ${live}
    UNION ALL SELECT c.id, 3, NULL, NULL, NULL, count(*)::int, count(i."completedAt")::int
      FROM ${on} JOIN checklists ch ON ch."cardId" = c.id AND ch."deletedAt" IS NULL
      JOIN checklist_items i ON i."checklistId" = ch.id AND i."deletedAt" IS NULL WHERE ${live} GROUP BY c.id
    UNION ALL SELECT c.id, 4, NULL, NULL, NULL, count(*)::int, 0
      FROM ${on} JOIN comments co ON co."cardId" = c.id AND co."deletedAt" IS NULL WHERE ${live} GROUP BY c.id
    UNION ALL SELECT c.id, 5, NULL, NULL, NULL, count(*)::int, 0
      FROM ${on} JOIN attachments a ON a."cardId" = c.id AND a."deletedAt" IS NULL AND a.status = 'stored' WHERE ${live} GROUP BY c.id
    UNION ALL SELECT c.id, 6, f."publicId", NULL, coalesce(v.text, v.number::text), 0, 0
      FROM ${on} JOIN card_field_values v ON v."cardId" = c.id JOIN custom_fields f ON f.id = v."fieldId" AND f."deletedAt" IS NULL AND f."isShownOnCard" WHERE ${live}
    ORDER BY 1, 2, name, "publicId"`,
};

/** A board with all its cards: the same six queries as the service. */
export async function boardGet({ query }: Database, session: string, id: string) {
  const [row] = await query(board, [session, id]);
  const [listRows, labelRows, fieldRows, cardRows, relationRows] = await Promise.all(
    [lists, labels, fields, cards, relations].map((statement) => query(statement, [row.id])),
  );
  const shown = new Map<string, any>();
  const columns = new Map<string, { publicId: string; cards: unknown[] }>();
  for (const list of listRows ?? []) columns.set(list.id, { publicId: list.publicId, cards: [] });
  for (const card of cardRows ?? []) {
    const column = columns.get(card.listId);
    if (column === undefined) continue;
    const view = summary(card, column.cards.length);
    column.cards.push(view);
    shown.set(card.id, view);
  }
  for (const { id: cardId, kind, publicId, name, extra, total, done } of relationRows ?? []) {
    const card = shown.get(cardId);
    if (kind === 1) card.labels.push({ publicId, name, colourCode: extra });
    else if (kind === 2) card.members.push({ publicId, name, image: extra });
    else if (kind === 3) card.checklistItems = { total, completed: done };
    else if (kind === 4) card.commentCount = total;
    else if (kind === 5) card.attachmentCount = total;
    else card.fields[publicId] = extra;
  }
  return {
    publicId: row.publicId,
    name: row.name,
    description: row.description,
    slug: row.slug,
    type: row.type,
    visibility: row.visibility,
    openWorkMode: row.openWorkMode,
    isArchived: row.archivedAt !== null,
    version: row.version,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
    workspacePublicId: row.workspacePublicId,
    lists: (listRows ?? []).map((list) => ({
      publicId: list.publicId,
      name: list.name,
      wipLimit: list.wipLimit,
      wipMode: list.wipMode,
      isArchived: list.archivedAt !== null,
      version: list.version,
      createdAt: iso(list.createdAt),
      updatedAt: iso(list.updatedAt),
      cardCount: columns.get(list.id)?.cards.length,
      cardsOverLimit: list.cardsOverLimit,
      cards: columns.get(list.id)?.cards,
    })),
    labels: labelRows,
    fields: (fieldRows ?? []).map((field) => ({ ...field, options: [] })),
  };
}

const summary = (card: any, index: number) => ({
  publicId: card.publicId,
  title: card.title,
  dueDate: iso(card.dueDate),
  isDueAllDay: card.isDueAllDay,
  cardNumber: card.cardNumber,
  startDate: iso(card.startDate),
  isStartAllDay: card.isStartAllDay,
  isComplete: card.completedAt !== null,
  isArchived: false,
  priority: card.priority,
  version: card.version,
  hasDescription: card.hasDescription,
  index,
  claim: card.claim,
  labels: [],
  members: [],
  checklistItems: { total: 0, completed: 0 },
  fields: {},
  commentCount: 0,
  attachmentCount: 0,
  openBlockers: 0,
  children: { total: 0, completed: 0 },
  relatedCards: { parent: null, children: [], blocks: [], blockedBy: [] },
});
