import { hasResource } from "../../kernel/procedures/new-id.ts";
import { sql } from "../../platform/db/sql.ts";

/** Rows of `table` that match `where` are deleted. `$1` is the time that `age` names. */
export type Step = {
  table: string;
  where: string;
  age: "trash" | "events" | "session" | "day" | "now" | "year";
  /** Updates the rows instead of deleting them. */
  set?: string;
};

// The children of an expired resource are expired.
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
  UNION ALL SELECT id FROM webhooks
    WHERE "boardId" IN (${boards}) OR "workspaceId" IN (${workspaces})`;

const trashStep = (table: string, where: string): Step => ({ table, where, age: "trash" });
const noRowIn = (table: string, where: string) =>
  `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${where})`;
const fileOfCard = `a."cardId" = t.id AND a."storageKey" IS NOT NULL`;
const pendingDelivery = `d."eventId" = t.id AND d.status = 'pending'`;
const ended = `"expiresAt" < $1::timestamptz OR "revokedAt" < $1::timestamptz`;

const inEmptyWorkspace = `t."workspaceId" IN (${workspaces})
  AND ${noRowIn("boards b", `b."workspaceId" = t."workspaceId"`)}`;

/** The steps of the purge, after the attachments. Children come before their parents. */
export const steps: Step[] = [
  trashStep("checklist_items", `t.id IN (${items})`),
  trashStep("checklists", `t.id IN (${checklists})`),
  trashStep("comments", `t.id IN (${comments})`),
  trashStep("labels", `t.id IN (${labels})`),
  trashStep("notifications", `t."cardId" IN (${cards})`),
  // Without its card an event belongs to no history and expires like the others.
  {
    ...trashStep(
      "events",
      `t."isActivity" AND t."cardPublicId" IN (
        SELECT "publicId" FROM cards WHERE id IN (${cards}))`,
    ),
    set: `"isActivity" = false`,
  },
  // A row with a file stays until the file is deleted: it has the only reference to it.
  trashStep("cards", `t.id IN (${cards}) AND ${noRowIn("attachments a", fileOfCard)}`),
  trashStep("lists", `t.id IN (${lists}) AND ${noRowIn("cards c", `c."listId" = t.id`)}`),
  trashStep("deliveries", `t."webhookId" IN (${webhooks})`),
  trashStep("webhooks", `t.id IN (${webhooks})`),
  trashStep("notifications", `t."boardId" IN (${boards})`),
  trashStep(
    "boards",
    `t.id IN (${boards}) AND ${noRowIn("lists l", `l."boardId" = t.id`)}
     AND ${noRowIn("cards c", `c."boardId" = t.id`)}`,
  ),
  ...["deliveries", "notifications", "events", "imported_things", "import_losses"].map((table) =>
    trashStep(table, inEmptyWorkspace),
  ),
  trashStep(
    "imports",
    `${inEmptyWorkspace} AND ${noRowIn("import_files f", `f."importId" = t.id`)}`,
  ),
  trashStep("invites", inEmptyWorkspace),
  trashStep("members", inEmptyWorkspace),
  trashStep(
    "workspaces",
    `t."deletedAt" < $1::timestamptz AND ${noRowIn("boards b", `b."workspaceId" = t.id`)}
     AND ${noRowIn("import_files f", `f."workspaceId" = t.id`)}`,
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
      AND ${noRowIn("deliveries d", pendingDelivery)}`,
    age: "events",
  },
  { table: "jobs", where: `t."finishedAt" < $1::timestamptz`, age: "events" },
  { table: "idempotency_keys", where: `t."createdAt" < $1::timestamptz`, age: "day" },
  {
    table: "refresh_tokens",
    where: `t."sessionId" IN (SELECT id FROM sessions WHERE ${ended})`,
    age: "day",
  },
  // A token that was used so long ago is refused like an unknown one. Sessions have many.
  { table: "refresh_tokens", where: `t."spentAt" < $1::timestamptz`, age: "session" },
  { table: "sessions", where: ended, age: "day" },
  { table: "oauth_states", where: `t."expiresAt" < $1::timestamptz`, age: "now" },
  {
    table: "password_resets",
    where: `t."expiresAt" < $1::timestamptz OR t."usedAt" < $1::timestamptz`,
    age: "now",
  },
  // An id without a resource after a day is that of a purged one, or of a create that failed.
  {
    table: "client_ids",
    where: `t."goneAt" IS NULL AND t."createdAt" < $1::timestamptz
      AND NOT ${hasResource(sql`t."publicId"`).text}`,
    age: "day",
    set: `"goneAt" = $1::timestamptz`,
  },
  { table: "client_ids", where: `t."goneAt" < $1::timestamptz`, age: "year" },
  { table: "stream_tickets", where: `t."expiresAt" < $1::timestamptz`, age: "now" },
];
