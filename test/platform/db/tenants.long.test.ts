import { beforeAll, expect, test } from "vitest";
import { permissions } from "../../../src/contract/vocabulary/permissions.ts";
import { sqlState } from "../../../src/platform/db/database-errors.ts";
import { makeFixtures } from "../../kernel/access/fixtures.ts";
import { useApp } from "../../support/app.ts";
import { statementOf } from "../../support/statement-of.ts";

const app = useApp({ isolated: true });

/** The old number of a moved card stays in the workspace that the card left. */
const exempt = new Set(["card_aliases.cardId"]);

type Reference = {
  child: string;
  column: string;
  parent: string;
  /** Whether rows have a position, which is unique under their parent. */
  ordered: boolean;
  checked: boolean;
};

// A column is checked by any foreign key that holds it beside the workspace: a card's board by its
// list.
const references = `WITH tenant AS (
    SELECT a.attrelid AS oid FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE a.attname = 'workspaceId' AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace),
  keys AS (SELECT k.conrelid, k.confrelid, k.conkey,
      ARRAY(SELECT attname::text FROM pg_attribute
        WHERE attrelid = k.conrelid AND attnum = ANY (k.conkey)
          AND atttypid = 'bigint'::regtype) AS names
    FROM pg_constraint k WHERE k.contype = 'f'
      AND k.conrelid IN (SELECT oid FROM tenant) AND k.confrelid IN (SELECT oid FROM tenant)),
  named AS (SELECT DISTINCT k.conrelid, k.confrelid, n.name,
      EXISTS (SELECT 1 FROM pg_attribute p
        WHERE p.attrelid = k.conrelid AND p.attname = 'position') AS ordered
    FROM keys k CROSS JOIN unnest(k.names) AS n(name)
    WHERE n.name <> 'workspaceId' AND NOT (n.name = 'boardId' AND 'listId' = ANY (k.names)))
  SELECT n.conrelid::regclass::text AS child, n.confrelid::regclass::text AS parent,
    n.name AS "column", n.ordered,
    EXISTS (SELECT 1 FROM keys k WHERE k.conrelid = n.conrelid
        AND n.name = ANY (k.names) AND 'workspaceId' = ANY (k.names))
      OR EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = n.conrelid
        AND t.tgname = n.conrelid::regclass || '_' || n.name || '_workspace') AS checked
  FROM named n ORDER BY 1, 3`;

async function tenantReferences(): Promise<Reference[]> {
  const { rows } = await query(references);
  return rows.filter(({ child, column }: Reference) => !exempt.has(`${child}.${column}`));
}

const query = async (text: string): Promise<{ rows: any[] }> => {
  const rows = await app().db.transact((_prisma, run) => run<any>(statementOf(text)));
  return { rows };
};

/** The rows and references that the fixture of a whole workspace lacks. */
const missingReferences = [
  `UPDATE api_keys SET ("workspaceId", "boardId") = (SELECT "workspaceId", id FROM boards LIMIT 1)`,
  `INSERT INTO card_members ("cardId", "memberId", "workspaceId")
   SELECT c.id, m.id, c."workspaceId" FROM cards c JOIN members m USING ("workspaceId")
   ON CONFLICT DO NOTHING`,
  `UPDATE cards c SET "claimedById" = m.id, "claimExpiresAt" = now() FROM members m
   WHERE m."workspaceId" = c."workspaceId"`,
  `INSERT INTO member_overrides ("memberId", "workspaceId", permission, granted)
   SELECT id, "workspaceId", 'card:edit', true FROM members
   WHERE "workspaceId" = (SELECT min("workspaceId") FROM members)`,
  ...["checklist_items", "invites"].map(
    (table) => `UPDATE ${table} t SET "memberId" = m.id FROM members m
      WHERE m."workspaceId" = t."workspaceId"`,
  ),
  `UPDATE webhooks t SET "boardId" = b.id FROM boards b WHERE b."workspaceId" = t."workspaceId"`,
  `INSERT INTO import_files ("importId", "workspaceId", "storageKey")
   SELECT id, "workspaceId", 'file ' || id FROM imports`,
  `INSERT INTO import_readings ("importId", "workspaceId", part, key, value, ms)
   SELECT id, "workspaceId", 'board', 'card ' || id, '{}', 1 FROM imports`,
  `INSERT INTO import_issues ("importId", "workspaceId", kind, reason)
   SELECT id, "workspaceId", 'card', 'Not supported.' FROM imports`,
  `INSERT INTO notifications ("publicId", "userId", "workspaceId", "eventId", type, data)
   SELECT 'notice ' || e.id, u.id, e."workspaceId", e.id, 'watched', '{}'
   FROM events e CROSS JOIN (SELECT min(id) AS id FROM users) u WHERE e."workspaceId" IS NOT NULL`,
  `INSERT INTO imported_items
     ("workspaceId", "importId", "boardId", source, kind, "sourceId", "targetId")
   SELECT i."workspaceId", i.id, b.id, 'github', 'board', 'source ' || b.id, b.id
   FROM imports i JOIN boards b USING ("workspaceId")`,
  `INSERT INTO imported_people ("workspaceId", source, "sourceId", name, "memberId")
   SELECT "workspaceId", 'github', 'source ' || id, 'A person', id FROM members`,
  `INSERT INTO custom_fields ("publicId", "workspaceId", "boardId", name, type, position)
   SELECT t.type || ' ' || b.id, b."workspaceId", b.id, t.type, t.type::"CustomFieldType", t.nth + 100
   FROM boards b CROSS JOIN unnest(ARRAY['select', 'member']) WITH ORDINALITY AS t(type, nth)`,
  `INSERT INTO custom_field_options ("publicId", "workspaceId", "fieldId", name, position)
   SELECT 'option ' || id, "workspaceId", id, 'An option', 1 FROM custom_fields
   WHERE type = 'select' AND position > 100`,
  `INSERT INTO card_field_values ("workspaceId", "cardId", "fieldId", type, "optionId")
   SELECT c."workspaceId", c.id, f.id, f.type, o.id FROM cards c
   JOIN custom_fields f ON f."boardId" = c."boardId"
   JOIN custom_field_options o ON o."fieldId" = f.id AND o."publicId" LIKE 'option %'`,
  `INSERT INTO card_field_values ("workspaceId", "cardId", "fieldId", type, "memberId")
   SELECT c."workspaceId", c.id, f.id, f.type, (SELECT min(m.id) FROM members m
     WHERE m."workspaceId" = c."workspaceId")
   FROM cards c JOIN custom_fields f ON f."boardId" = c."boardId" AND f.type = 'member'
     AND f.position > 100`,
  `INSERT INTO views ("publicId", "workspaceId", "ownerId", name)
   SELECT 'view ' || id, "workspaceId", id, 'A view' FROM members`,
  `INSERT INTO imported_assignments ("workspaceId", source, "sourceId", "cardId")
   SELECT "workspaceId", 'github', 'source ' || id, id FROM cards`,
];

beforeAll(async () => {
  for (const word of ["Home", "Foreign"]) {
    await makeFixtures(app(), "https://93.184.216.34/hook", word);
  }
  for (const statement of missingReferences) await query(statement);
});

test("every reference between tables of a workspace includes the workspace", async () => {
  const found = await tenantReferences();
  expect(found.length).toBeGreaterThan(20);
  expect(found.filter(({ checked }) => !checked)).toEqual([]);
});

test("the database refuses a row that refers to another workspace", async () => {
  const accepted: string[] = [];
  const untested: string[] = [];
  for (const { child, column, parent, ordered } of await tenantReferences()) {
    const update = `WITH one AS (SELECT ctid, "workspaceId" FROM ${child} WHERE "${column}" IS NOT NULL LIMIT 1)
      UPDATE ${child} SET "${column}" = (SELECT p.id FROM ${parent} p
        WHERE p."workspaceId" <> (SELECT "workspaceId" FROM one) LIMIT 1)
        ${ordered ? ", position = position + 0.5" : ""}
      WHERE ctid = (SELECT ctid FROM one) RETURNING "${column}" AS parent`;
    try {
      const { rows } = await query(update);
      const [row] = rows;
      if (row === undefined || row.parent === null) untested.push(`${child}.${column}`);
      else accepted.push(`${child}.${column}`);
    } catch (error) {
      if (sqlState(error) !== "23503") throw error;
    }
  }
  expect(accepted).toEqual([]);
  expect(untested).toEqual([]);
});

/** Columns with the id of a row that no foreign key names, with the reason. */
const unbound: Record<string, string> = {
  "cards.createdById": "users are never deleted, and a key would cost every write",
  "cards.watcherId": "one watcher, or 0 for several: only whether to look for them",
  "comments.createdById": "users are never deleted, and a key would cost every write",
  "deliveries.eventId":
    "taken from the event where it is written; a trigger empties it with the event",
  "events.actorUserId": "the history outlives the account",
  "events.userId": "users are never deleted, and a key would cost every write",
  "events.workspaceId": "purged before their workspace; test/kernel/jobs/purge.long.test.ts",
  "imported_items.targetId": "a row of the table that `kind` names",
  "jobs.accountId": "an account, or a negative workspace: only a key for shares",
  "jobs.workspaceId": "a job ends when its workspace is purged meanwhile",
  "notifications.boardId": "readers are authorized for the workspace that the board is in",
  "notifications.cardId": "readers are authorized for the workspace that the card is in",
  "notifications.eventId":
    "taken from the event where it is written; a trigger empties it with the event",
  "oauth_states.sessionId": "compared with the session of the caller",
  "search_texts.scopeId": "written with the row of the text; a search joins that row",
  "search_words.workspaceId": "deleted with the last name that has the word",
};

test("every column with the id of a row is in a foreign key, or has a reason", async () => {
  const { rows } = await query(`SELECT c.table_name || '.' || c.column_name AS name
    FROM information_schema.columns c
    WHERE c.table_schema = 'public' AND c.data_type = 'bigint' AND c.column_name LIKE '%Id'
      AND NOT EXISTS (SELECT 1 FROM pg_constraint k
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)
        WHERE k.contype = 'f' AND k.conrelid = quote_ident(c.table_name)::regclass
          AND a.attname = c.column_name)`);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(unbound).toSorted());
});

/**
 * Two references of a table whose parents belong to rows of one table, by their required parents:
 * `card_labels` has cards and labels, which are both of a board.
 */
const sharedAncestors = `WITH RECURSIVE keys AS (
    SELECT k.conrelid AS child, k.confrelid AS parent, k.confdeltype = 'c' AS cascades, n.name,
      k.conkey, k.conname
    FROM pg_constraint k CROSS JOIN LATERAL (
      SELECT a.attname::text AS name, a.attnotnull AS required FROM pg_attribute a
      WHERE a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)
        AND a.attname <> 'workspaceId' ORDER BY array_position(k.conkey, a.attnum) LIMIT 1) n
    WHERE k.contype = 'f'),
  above AS (
    SELECT DISTINCT parent AS row, parent AS ancestor FROM keys
    UNION SELECT above.row, keys.parent FROM above
      JOIN keys ON keys.child = above.ancestor AND keys.cascades)
  SELECT one.child::regclass::text AS child, one.name AS one, other.name AS other,
    a.ancestor::regclass::text AS ancestor,
    one.conkey && other.conkey AND EXISTS (SELECT 1 FROM unnest(one.conkey) n
      WHERE n = ANY (other.conkey) AND n <> (SELECT attnum FROM pg_attribute
        WHERE attrelid = one.child AND attname = 'workspaceId')) AS composite,
    EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = one.child AND t.tgname IN (
      one.child::regclass || '_' || one.name || '_board',
      one.child::regclass || '_' || other.name || '_board')) AS checked
  FROM keys one JOIN keys other ON other.child = one.child AND other.conname > one.conname
  JOIN above a ON a.row = one.parent
  JOIN above b ON b.row = other.parent AND b.ancestor = a.ancestor
  WHERE one.name IS NOT NULL AND a.ancestor <> 'workspaces'::regclass
  ORDER BY 1, 2, 3, 4`;

/** A member and the user who invited them are two users, and related cards may be on two boards. */
const unrelated = new Set([
  "members.invitedById.userId",
  "notifications.userId.eventId",
  "card_relations.fromId.toId",
]);

test("two references to parents of one ancestor name the same ancestor", async () => {
  const { rows } = await query(sharedAncestors);
  const pairs = rows.filter(
    ({ child, one, other }) => !unrelated.has([child, one, other].join(".")),
  );
  expect(pairs).toMatchObject([
    { child: "card_field_values", one: "cardId", other: "fieldId", ancestor: "boards" },
    { child: "card_field_values", one: "cardId", other: "optionId", ancestor: "boards" },
    { child: "card_field_values", one: "fieldId", other: "optionId", ancestor: "boards" },
    { child: "card_field_values", one: "fieldId", other: "optionId", ancestor: "custom_fields" },
    { child: "card_labels", one: "cardId", other: "labelId", ancestor: "boards" },
  ]);
  expect(pairs.filter(({ composite, checked }) => !composite && !checked)).toEqual([]);
});

test.each([
  [
    "a label of another board on a card",
    `INSERT INTO card_labels ("cardId", "labelId", "workspaceId")
     SELECT c.id, l.id, c."workspaceId" FROM cards c JOIN labels l
       ON l."workspaceId" = c."workspaceId" AND l."boardId" <> c."boardId" LIMIT 1`,
  ],
  [
    "a card on another board than its labels",
    `UPDATE cards SET "listId" = l.id, "boardId" = l."boardId", position = cards.position + 0.5
     FROM lists l WHERE cards.id = (SELECT "cardId" FROM card_labels LIMIT 1)
       AND l."workspaceId" = cards."workspaceId" AND l."boardId" <> cards."boardId"
       AND l.id = (SELECT min(o.id) FROM lists o
         WHERE o."workspaceId" = cards."workspaceId" AND o."boardId" <> cards."boardId")`,
  ],
  [
    "a value of a field of another board on a card",
    `INSERT INTO card_field_values ("workspaceId", "cardId", "fieldId", type, "memberId")
     SELECT c."workspaceId", c.id, f.id, f.type, m.id FROM cards c
     JOIN custom_fields f ON f."workspaceId" = c."workspaceId" AND f."boardId" <> c."boardId"
       AND f.type = 'member'
     JOIN members m ON m."workspaceId" = c."workspaceId" LIMIT 1`,
  ],
  [
    "an option of another field as a value",
    `UPDATE card_field_values v SET "optionId" = o.id FROM custom_field_options o
     WHERE v.type = 'select' AND o."workspaceId" = v."workspaceId" AND o."fieldId" <> v."fieldId"`,
  ],
  [
    "a value of another type than its field's",
    `UPDATE card_field_values SET type = 'text', text = 'A text', "optionId" = NULL
     WHERE type = 'select'`,
  ],
  [
    "a card on another board than its list",
    `UPDATE cards SET "boardId" = (SELECT min(b.id) FROM boards b
       WHERE b."workspaceId" = cards."workspaceId" AND b.id <> cards."boardId")
     WHERE id = (SELECT min(id) FROM cards)`,
  ],
])("the database refuses %s", async (_what, statement) => {
  const refused = await query(statement).catch((error: unknown) => error);
  expect(sqlState(refused)).toBe("23503");
});

test.each([
  ["roles", `UPDATE roles SET permissions = ARRAY['card:fly']`],
  ["api_keys", `UPDATE api_keys SET permissions = ARRAY['card:fly']`],
  [
    "member_overrides",
    `INSERT INTO member_overrides ("memberId", "workspaceId", permission, granted)
     SELECT id, "workspaceId", 'card:fly', true FROM members LIMIT 1`,
  ],
  ["jobs", `INSERT INTO jobs (kind) VALUES ('unknown')`],
  ["events", `UPDATE events SET type = 'Unknown'`],
])("%s accept known permissions and kinds only", async (_table, statement) => {
  const refused = await query(statement).catch((error: unknown) => error);
  expect(sqlState(refused)).toBe("23514");
});

test("the database and the contract know the same permissions", async () => {
  const { rows } = await query(
    `SELECT are_permissions(ARRAY['${permissions.join("', '")}']) AS known`,
  );
  expect(rows).toEqual([{ known: true }]);
  const {
    rows: [definition],
  } = await query(`SELECT pg_get_functiondef('are_permissions'::regproc) AS text`);
  expect(definition?.text.match(/'[a-z]+:[a-z]+'/g)).toHaveLength(permissions.length);
});
