import { hasResource } from "../../kernel/idempotency/client-id.ts";
import { tablesOf } from "../../contract/fields/part.ts";
import { boardParts, parentOf } from "../../contract/resources/board-parts.ts";
import { cardParts as declared } from "../../contract/resources/card-parts.ts";
import { cardParts } from "../../domain/parts/card.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { isIndexed, tokens } from "../../domain/workspaces/search-matches.ts";

/** Rows of `table` that match `where` are deleted. `where` gets the time that `age` names. */
export type PurgeStep = {
  table: string;
  where: (before: Date) => Sql;
  age: "trash" | "events" | "history" | "session" | "day" | "now" | "year";
  /** Updates the rows instead of deleting them. */
  set?: (before: Date) => Sql;
};

type Rows = (before: Date) => Sql;

/** SQL: whether the name of a board, or of a card on it, has the word of the row `t`. */
const isInName = sql`EXISTS (SELECT 1 FROM boards b CROSS JOIN LATERAL (
    SELECT 1 FROM search_texts s WHERE s.type = 'board' AND s.id = b.id
      AND s.words @@ (search_key(t.word) || ':A')::tsquery
    UNION ALL (SELECT 1 FROM search_texts s
      WHERE ${isIndexed} AND ${tokens} @@ search_key(b.id || 't' || t.word)::tsquery LIMIT 1)
  ) AS found WHERE b."workspaceId" = t."workspaceId")`;

/** SQL: the ids of the deleted rows of a table, and of all rows with a deleted parent. */
const deletedIn =
  (table: string, ofParent: Rows): Rows =>
  (before) =>
    sql`SELECT id FROM ${sql.identifier(table)} WHERE "deletedAt" < ${before}::timestamptz
      UNION ALL SELECT id FROM ${sql.identifier(table)} WHERE ${ofParent(before)}`;

const workspaces: Rows = (before) =>
  sql`SELECT id FROM workspaces WHERE "deletedAt" < ${before}::timestamptz`;
const boards = deletedIn("boards", (before) => sql`"workspaceId" IN (${workspaces(before)})`);
/** The deleted rows of the parts of boards and cards, by table, parents first. */
const deleted = new Map<string, Rows>();
function addDeleted(name: string, parent = parentOf(name)) {
  const ofParent = deleted.get(parent.table) ?? boards;
  const isOf: Rows = (before) => sql`${sql.identifier(parent.column)} IN (${ofParent(before)})`;
  deleted.set(name, deletedIn(name, isOf));
}
for (const [table] of tablesOf(boardParts)) addDeleted(table);
addDeleted("cards", { table: "lists", column: "listId" });
for (const [table, { counted }] of tablesOf(declared)) if (counted !== undefined) addDeleted(table);
const deletedOf = (table: string): Rows => deleted.get(table) ?? boards;
const [lists, cards] = [deletedOf("lists"), deletedOf("cards")];
/** Tables with their own purge, and the rows of them that keep a card from being purged. */
const purgedSeparately = new Map(
  Object.values(cardParts).flatMap(({ purged }) => (purged ? [[purged.table, purged.keeps]] : [])),
);

const ofBoardOrWorkspace: Rows = (before) =>
  sql`"boardId" IN (${boards(before)}) OR "workspaceId" IN (${workspaces(before)})`;
const views = deletedIn("views", ofBoardOrWorkspace);
const webhooks = deletedIn("webhooks", ofBoardOrWorkspace);

const trashStep = (table: string, where: Rows): PurgeStep => ({ table, where, age: "trash" });

/** A step for the rows with an id among those of `rows`, if they also meet `condition`. */
const trashOf = (table: string, rows: Rows, condition = sql.empty, column = "id"): PurgeStep =>
  trashStep(table, (before) => sql`t.${sql.identifier(column)} IN (${rows(before)}) ${condition}`);
const unused = (rows: Sql): Sql => sql`AND NOT EXISTS (SELECT 1 FROM ${rows})`;

const inEmptyWorkspace = (table: string, condition = sql.empty): PurgeStep =>
  trashOf(
    table,
    workspaces,
    sql`${unused(sql`boards b WHERE b."workspaceId" = t."workspaceId"`)} ${condition}`,
    "workspaceId",
  );

/** SQL: whether a column is before the time of the step. */
const isBefore =
  (column: Sql, condition = sql.empty): Rows =>
  (before) =>
    sql`${column} < ${before}::timestamptz ${condition}`;
const expiresAt = isBefore(sql`t."expiresAt"`);
const ended: Rows = (before) =>
  sql`"expiresAt" < ${before}::timestamptz OR "revokedAt" < ${before}::timestamptz`;

const publicIds = (table: string, ids: Sql) =>
  sql`SELECT "publicId" FROM ${sql.identifier(table)} WHERE id IN (${ids})`;

/** SQL: the data that an event keeps when its resource is purged: ids and positions. */
const erased = sql`jsonb_strip_nulls(jsonb_build_object(
  'card', CASE WHEN "cardPublicId" IS NOT NULL
    THEN jsonb_build_object('publicId', "cardPublicId") END,
  'board', CASE WHEN "boardPublicId" IS NOT NULL
    THEN jsonb_build_object('publicId', "boardPublicId") END,
  'list', CASE WHEN data ? 'list'
    THEN jsonb_build_object('publicId', data #> '{list,publicId}') END,
  'from', data -> 'from', 'to', data -> 'to'))`;

/** A step that erases the texts of events: who did what and when stays. */
const eraseEvents = (where: Rows): PurgeStep => ({
  ...trashStep(
    "events",
    (before) => sql`(t."isActivity" OR t.changes IS NOT NULL OR t.data <> ${erased})
      AND ${where(before)}`,
  ),
  set: () => sql`"isActivity" = false, changes = NULL, data = ${erased}`,
});

/** A pending delivery needs its event. */
const sent = unused(sql`deliveries d WHERE d."eventId" = t.id AND d.status = 'pending'`);

/** The steps of the purge, after the tables with their own. Children come before parents. */
export const steps: PurgeStep[] = [
  trashOf("card_field_values", deletedOf("custom_fields"), sql.empty, "fieldId"),
  trashOf("card_field_values", deletedOf("custom_field_options"), sql.empty, "optionId"),
  ...[...deleted]
    .toReversed()
    .flatMap(([table, rows]) =>
      purgedSeparately.has(table) || table === "lists" || table === "cards"
        ? []
        : trashOf(table, rows),
    ),
  trashOf("views", views),
  trashOf("notifications", cards, sql.empty, "cardId"),
  // Without its card an event belongs to no history and expires like the others.
  eraseEvents((before) => sql`t."cardPublicId" IN (${publicIds("cards", cards(before))})`),
  eraseEvents(
    (before) => sql`t.type LIKE 'list.%'
      AND t."boardPublicId" IN (SELECT b."publicId" FROM boards b JOIN lists l
        ON l."boardId" = b.id WHERE l.id IN (${lists(before)}))
      AND t.data #>> '{list,publicId}' IN (${publicIds("lists", lists(before))})`,
  ),
  eraseEvents((before) => sql`t."boardPublicId" IN (${publicIds("boards", boards(before))})`),
  trashOf("cards", cards, sql.join([...purgedSeparately.values()].map(unused), sql` `)),
  trashOf("lists", lists, unused(sql`cards c WHERE c."listId" = t.id`)),
  trashOf("deliveries", webhooks, sql.empty, "webhookId"),
  trashOf("webhooks", webhooks),
  trashOf("notifications", boards, sql.empty, "boardId"),
  trashOf(
    "boards",
    boards,
    sql`${unused(sql`lists l WHERE l."boardId" = t.id`)}
      ${unused(sql`cards c WHERE c."boardId" = t.id`)}`,
  ),
  ...["deliveries", "notifications", "events", "imported_items", "import_issues"].map((table) =>
    inEmptyWorkspace(table),
  ),
  inEmptyWorkspace("imports", unused(sql`import_files f WHERE f."importId" = t.id`)),
  inEmptyWorkspace("invites"),
  trashStep(
    "users",
    (before) => sql`t."isService" AND t.id IN (SELECT m."userId" FROM members m
      WHERE m."workspaceId" IN (${workspaces(before)}))`,
  ),
  inEmptyWorkspace("members"),
  trashStep(
    "workspaces",
    isBefore(
      sql`t."deletedAt"`,
      sql`${unused(sql`boards b WHERE b."workspaceId" = t.id`)}
        ${unused(sql`import_files f WHERE f."workspaceId" = t.id`)}`,
    ),
  ),

  {
    table: "deliveries",
    where: isBefore(sql`t."finishedAt"`, sql`AND t.status <> 'pending'`),
    age: "events",
  },
  { table: "notifications", where: isBefore(sql`t."createdAt"`), age: "events" },
  {
    table: "events",
    where: isBefore(sql`NOT t."isActivity" AND t."createdAt"`, sent),
    age: "events",
  },
  {
    table: "events",
    where: isBefore(
      sql`t."isActivity" AND t."createdAt"`,
      sql`AND (t.credential IS NOT NULL OR t.ip IS NOT NULL OR t."requestId" IS NOT NULL)`,
    ),
    age: "events",
    set: () => sql`credential = NULL, ip = NULL, "requestId" = NULL, "mutationId" = NULL`,
  },
  { table: "events", where: isBefore(sql`t."createdAt"`, sent), age: "history" },
  { table: "jobs", where: isBefore(sql`t."finishedAt"`), age: "events" },
  { table: "operator_actions", where: isBefore(sql`t."createdAt"`), age: "events" },
  { table: "idempotency_keys", where: isBefore(sql`t."createdAt"`), age: "day" },
  {
    table: "refresh_tokens",
    where: (before) => sql`t."sessionId" IN (SELECT id FROM sessions WHERE ${ended(before)})`,
    age: "day",
  },
  // A token that was used so long ago is refused like an unknown one. Sessions have many.
  { table: "refresh_tokens", where: isBefore(sql`t."spentAt"`), age: "session" },
  { table: "sessions", where: ended, age: "day" },
  { table: "app_codes", where: expiresAt, age: "day" },
  { table: "device_codes", where: expiresAt, age: "day" },
  { table: "app_refresh_tokens", where: isBefore(sql`t."spentAt"`), age: "session" },
  // Other keys that have ended stay, for their owner's records.
  {
    table: "api_keys",
    where: (before) => sql`"appId" IS NOT NULL AND (${ended(before)})`,
    age: "day",
  },
  {
    table: "apps",
    where: isBefore(
      sql`t."createdAt"`,
      sql`${unused(sql`api_keys k WHERE k."appId" = t.id`)}
        ${unused(sql`device_codes d WHERE d."appId" = t.id`)}
        ${unused(sql`forbidden_apps f WHERE f."appId" = t.id`)}`,
    ),
    age: "day",
  },
  { table: "oauth_states", where: expiresAt, age: "now" },
  { table: "sign_ins", where: expiresAt, age: "now" },
  { table: "sign_in_challenges", where: expiresAt, age: "now" },
  {
    table: "password_resets",
    where: (before) =>
      sql`t."expiresAt" < ${before}::timestamptz OR t."usedAt" < ${before}::timestamptz`,
    age: "now",
  },
  // An id without a resource after a day is that of a purged one, or of a create that failed.
  {
    table: "client_ids",
    where: (before) => sql`t."goneAt" IS NULL AND t."createdAt" < ${before}::timestamptz
      AND NOT ${hasResource(sql`t."publicId"`)}`,
    age: "day",
    set: (before) => sql`"goneAt" = ${before}::timestamptz`,
  },
  { table: "client_ids", where: isBefore(sql`t."goneAt"`), age: "year" },
  { table: "attempt_counts", where: expiresAt, age: "now" },
  { table: "stream_tickets", where: expiresAt, age: "now" },
  {
    table: "search_words",
    where: () => sql`NOT ${isInName} AND (t."workspaceId", t.word) IN (
      SELECT w."workspaceId", w.word FROM search_words w WHERE w."isStale")`,
    age: "now",
  },
  { table: "search_words", where: () => sql`t."isStale" AND ${isInName}`, age: "now" },
];
