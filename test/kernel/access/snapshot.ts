import type { App } from "../../support/app.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { statementOf } from "../../support/statement-of.ts";

type Column = { table: string };

const withWorkspace = `SELECT c.table_name AS "table" FROM information_schema.columns c
  JOIN information_schema.tables t ON t.table_name = c.table_name AND t.table_schema = 'public' AND t.table_type = 'BASE TABLE'
  WHERE c.table_schema = 'public' AND c.column_name = 'workspaceId' ORDER BY 1`;

const known = new WeakMap<App, Promise<string[]>>();

/** The tables whose rows belong to a workspace. */
export function tenantTables(app: App): Promise<string[]> {
  let tables = known.get(app);
  if (tables === undefined) {
    tables = app.db
      .read<Column>(statementOf(withWorkspace))
      .then((rows) => rows.map(({ table }) => table));
    known.set(app, tables);
  }
  return tables;
}

/**
 * A fingerprint per table of the rows of a workspace, without the time at which a key was last used.
 *
 * Every insert, update and delete changes the number of rows or the sum of their transaction ids.
 */
export async function snapshot(app: App, workspaceId: bigint): Promise<Record<string, string>> {
  const tables = await tenantTables(app);
  const versions = "count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0)";
  const content = `count(*) || ' ' || coalesce(string_agg((to_jsonb(t) - 'lastUsedAt')::text, ' '
    ORDER BY id), '')`;
  const print = (table: string, key: string) =>
    `SELECT '${table}' AS name, ${table === "api_keys" ? content : versions} AS print
     FROM "${table}" t WHERE "${key}" = $1`;
  const all = [print("workspaces", "id"), ...tables.map((table) => print(table, "workspaceId"))];
  const rows = await app.db.read<{ name: string; print: string }>(
    statementOf(all.join(" UNION ALL "), [workspaceId]),
  );
  return Object.fromEntries(rows.map((row) => [row.name, row.print]));
}

/** The tables in which a row of a workspace contains a text. */
export async function tablesWithText(app: App, workspaceId: bigint, text: string) {
  const all = (await tenantTables(app)).map(
    (table) => `SELECT '${table}' AS name FROM "${table}" t
      WHERE "workspaceId" = $1 AND strpos(to_jsonb(t)::text, $2) > 0`,
  );
  const rows = await app.db.read<{ name: string }>(
    statementOf(all.join(" UNION "), [workspaceId, text]),
  );
  return rows.map(({ name }) => name);
}

/**
 * Foreign keys between rows of tenants that join two different workspaces: `table.column`, once per
 * row.
 */
export async function strayReferences(app: App): Promise<string[]> {
  const tables = new Set(await tenantTables(app));
  const keys = await app.db.read<{ from: string; column: string; to: string }>(
    sql`SELECT c.conrelid::regclass::text AS "from", a.attname::text AS "column", c.confrelid::regclass::text AS "to"
     FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
     WHERE c.contype = 'f' AND array_length(c.conkey, 1) = 1`,
  );
  const checks = keys
    // An alias is of the workspace that its card has left.
    .filter(({ from, to }) => tables.has(from) && tables.has(to) && from !== "card_aliases")
    .map(
      ({ from, column, to }) =>
        `SELECT '${from}.${column}' AS stray FROM ${from} f JOIN ${to} t ON t.id = f."${column}" WHERE f."workspaceId" <> t."workspaceId"`,
    );
  const rows = await app.db.read<{ stray: string }>(statementOf(checks.join(" UNION ALL ")));
  return rows.map(({ stray }) => stray);
}
