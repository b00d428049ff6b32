const live = (alias: string) => `${alias}."deletedAt" IS NULL AND ${alias}."archivedAt" IS NULL`;
const lists = `FROM lists l WHERE l."boardId" = $1 AND ${live("l")}`;
const cardsJoin = (...joins: string[]) => `FROM lists l
  JOIN cards c ON c."listId" = l.id AND ${live("c")} ${joins.join(" ")}
  WHERE l."boardId" = $1 AND ${live("l")}`;
const labels = `JOIN card_labels cl ON cl."cardId" = c.id
  JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL`;
const checklists = `JOIN checklists ch ON ch."cardId" = c.id AND ch."deletedAt" IS NULL`;
const items = `JOIN checklist_items i ON i."checklistId" = ch.id AND i."deletedAt" IS NULL`;

/** The rows of a board that a copy has, in one snapshot: concurrent moves duplicate no row. */
export const contents = `SELECT 'list' AS kind, l.id, l."boardId" AS parent, l.position, 0 AS number
    ${lists}
  UNION ALL SELECT 'label', id, "boardId", '', 0 FROM labels
    WHERE "boardId" = $1 AND "deletedAt" IS NULL
  UNION ALL SELECT 'card', c.id, c."listId", c.position, c.number ${cardsJoin()}
  UNION ALL SELECT 'cardLabel', cl."labelId", c.id, '', 0 ${cardsJoin(labels)}
  UNION ALL SELECT 'checklist', ch.id, c.id, ch.position, 0 ${cardsJoin(checklists)}
  UNION ALL SELECT 'item', i.id, ch.id, i.position, 0 ${cardsJoin(checklists, items)}
  ORDER BY number, id`;

const insertCopies = (table: string, parent: string, columns: string[]) => `
  INSERT INTO ${table} ("publicId", "workspaceId", "createdById", "createdAt", "updatedAt",
    "${parent}", ${columns.map((name) => `"${name}"`).join(", ")})
  SELECT new."publicId", $5::bigint, $6::bigint, $7::timestamptz, $7::timestamptz, new.parent,
    ${columns.map((name) => `${name === "position" ? "new" : "source"}."${name}"`).join(", ")}
  FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[])
    WITH ORDINALITY AS new(id, "publicId", parent, position, nth)
  JOIN ${table} source ON source.id = new.id RETURNING id, "publicId"`;

/** The statements that insert copies of rows: one per table, whatever the number of rows. */
export const inserts = {
  list: insertCopies("lists", "boardId", ["position", "name", "wipLimit"]),
  label: insertCopies("labels", "boardId", ["name", "colourCode"]),
  checklist: insertCopies("checklists", "cardId", ["position", "name"]),
  item: insertCopies("checklist_items", "checklistId", ["position", "title", "dueDate"]),
};

/** Puts labels on cards. */
export const insertCardLabels = `
  INSERT INTO card_labels ("cardId", "labelId", "workspaceId", "createdAt")
  SELECT pair.*, $3::bigint, $4::timestamptz FROM unnest($1::bigint[], $2::bigint[]) AS pair`;
