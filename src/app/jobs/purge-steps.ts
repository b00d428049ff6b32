/** Deletes the rows `t` of a table that match `where`; `$1` is the time of the step's `age`. */
export type Step = {
  table: string;
  where: string;
  age: "trash" | "events" | "session" | "day" | "now";
  /** Changes rows instead of deleting them. */
  set?: string;
};

// The content of a deleted row is as old in the trash as the row.
const workspaces = `SELECT id FROM workspaces WHERE "deletedAt" < $1::timestamptz`;
const boards = `SELECT id FROM boards WHERE "deletedAt" < $1::timestamptz
  UNION ALL SELECT id FROM boards WHERE "workspaceId" IN (${workspaces})`;
const lists = `SELECT id FROM lists WHERE "deletedAt" < $1::timestamptz
  UNION ALL SELECT id FROM lists WHERE "boardId" IN (${boards})`;
const cards = `SELECT id FROM cards WHERE "deletedAt" < $1::timestamptz
  UNION ALL SELECT id FROM cards WHERE "listId" IN (${lists})`;
const checklists = `SELECT id FROM checklists WHERE "deletedAt" < $1::timestamptz
  UNION ALL SELECT id FROM checklists WHERE "cardId" IN (${cards})`;
const items = `SELECT id FROM checklist_items WHERE "deletedAt" < $1::timestamptz
  UNION ALL SELECT id FROM checklist_items WHERE "checklistId" IN (${checklists})`;
const comments = `SELECT id FROM comments WHERE "deletedAt" < $1::timestamptz
  UNION ALL SELECT id FROM comments WHERE "cardId" IN (${cards})`;
const labels = `SELECT id FROM labels WHERE "deletedAt" < $1::timestamptz
  UNION ALL SELECT id FROM labels WHERE "boardId" IN (${boards})`;
const webhooks = `SELECT id FROM webhooks WHERE "deletedAt" < $1::timestamptz
  UNION ALL SELECT id FROM webhooks WHERE "boardId" IN (${boards})
    OR "workspaceId" IN (${workspaces})`;

const trash = (table: string, where: string): Step => ({ table, where, age: "trash" });
const noRow = (table: string, where: string) =>
  `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${where})`;
const ended = `"expiresAt" < $1::timestamptz OR "revokedAt" < $1::timestamptz`;

/** The steps of the purge after the attachments. Children come first, so that no delete cascades. */
export const steps: Step[] = [
  trash("checklist_items", `t.id IN (${items})`),
  trash("checklists", `t.id IN (${checklists})`),
  trash("comments", `t.id IN (${comments})`),
  trash("labels", `t.id IN (${labels})`),
  trash("notifications", `t."cardId" IN (${cards})`),
  // Without its card an event is no activity, and is deleted with the other events.
  {
    ...trash(
      "events",
      `t."isActivity"
        AND t."cardPublicId" IN (SELECT "publicId" FROM cards WHERE id IN (${cards}))`,
    ),
    set: `"isActivity" = false`,
  },
  // A file is deleted with the row of its attachment, so a card with files stays.
  trash(
    "cards",
    `t.id IN (${cards})
      AND ${noRow("attachments a", `a."cardId" = t.id AND a."storageKey" IS NOT NULL`)}`,
  ),
  trash("lists", `t.id IN (${lists}) AND ${noRow("cards c", `c."listId" = t.id`)}`),
  trash("deliveries", `t."webhookId" IN (${webhooks})`),
  trash("webhooks", `t.id IN (${webhooks})`),
  trash("notifications", `t."boardId" IN (${boards})`),
  trash(
    "boards",
    `t.id IN (${boards}) AND ${noRow("lists l", `l."boardId" = t.id`)}
      AND ${noRow("cards c", `c."boardId" = t.id`)}`,
  ),
  ...[
    "deliveries",
    "notifications",
    "events",
    "imported_things",
    "import_losses",
    "imports",
    "invites",
    "members",
  ].map((table) =>
    trash(
      table,
      `t."workspaceId" IN (${workspaces})
        AND ${noRow("boards b", `b."workspaceId" = t."workspaceId"`)}
        ${table === "imports" ? `AND ${noRow("import_files f", `f."importId" = t.id`)}` : ""}`,
    ),
  ),
  trash(
    "workspaces",
    `t."deletedAt" < $1::timestamptz AND ${noRow("boards b", `b."workspaceId" = t.id`)}
      AND ${noRow("import_files f", `f."workspaceId" = t.id`)}`,
  ),

  {
    table: "deliveries",
    where: `t."finishedAt" < $1::timestamptz AND t.status <> 'pending'`,
    age: "events",
  },
  { table: "notifications", where: `t."createdAt" < $1::timestamptz`, age: "events" },
  // A pending delivery needs its event.
  {
    table: "events",
    where: `NOT t."isActivity" AND t."createdAt" < $1::timestamptz
      AND ${noRow("deliveries d", `d."eventId" = t.id AND d.status = 'pending'`)}`,
    age: "events",
  },
  { table: "jobs", where: `t."finishedAt" < $1::timestamptz`, age: "events" },
  { table: "idempotency_keys", where: `t."createdAt" < $1::timestamptz`, age: "day" },
  {
    table: "refresh_tokens",
    where: `t."sessionId" IN (SELECT id FROM sessions WHERE ${ended})`,
    age: "day",
  },
  // An old spent token is refused like an unknown one. Sessions in use would collect them.
  { table: "refresh_tokens", where: `t."spentAt" < $1::timestamptz`, age: "session" },
  { table: "sessions", where: ended, age: "day" },
  { table: "oauth_states", where: `t."expiresAt" < $1::timestamptz`, age: "now" },
  {
    table: "password_resets",
    where: `t."expiresAt" < $1::timestamptz OR t."usedAt" < $1::timestamptz`,
    age: "now",
  },
  { table: "stream_tickets", where: `t."expiresAt" < $1::timestamptz`, age: "now" },
];
