import type { App } from "../../support/app.ts";

type Column = { table: string };

const withWorkspace = `SELECT c.table_name AS "table" FROM information_schema.columns c
  JOIN information_schema.tables t ON t.table_name = c.table_name AND t.table_schema = 'public' AND t.table_type = 'BASE TABLE'
  WHERE c.table_schema = 'public' AND c.column_name = 'workspaceId' ORDER BY 1`;

/** The tables whose rows belong to a workspace. */
export async function tenantTables(app: App): Promise<string[]> {
  return (await app.db.read<Column>(withWorkspace, [])).map(({ table }) => table);
}

/** A fingerprint per table of every row that a workspace has; only what is noted beside a call is left out. */
export async function snapshot(app: App, workspaceId: bigint): Promise<Record<string, string>> {
  const tables = await tenantTables(app);
  const print = (table: string, key: string) =>
    `SELECT '${table}' AS name, count(*)::text || ' ' || md5(coalesce(string_agg(line, E'\\n' ORDER BY line), '')) AS print
     FROM (SELECT (to_jsonb(t) - 'lastUsedAt')::text AS line FROM "${table}" t WHERE t."${key}" = $1) rows`;
  const all = [print("workspaces", "id"), ...tables.map((table) => print(table, "workspaceId"))];
  const rows = await app.db.read<{ name: string; print: string }>(all.join(" UNION ALL "), [
    workspaceId,
  ]);
  return Object.fromEntries(rows.map((row) => [row.name, row.print]));
}

/** Foreign keys between rows of tenants that join two different workspaces: `table.column`, once per row. */
export async function strayReferences(app: App): Promise<string[]> {
  const tables = new Set(await tenantTables(app));
  const keys = await app.db.read<{ from: string; column: string; to: string }>(
    `SELECT c.conrelid::regclass::text AS "from", a.attname::text AS "column", c.confrelid::regclass::text AS "to"
     FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
     WHERE c.contype = 'f' AND array_length(c.conkey, 1) = 1`,
    [],
  );
  const checks = keys
    // An alias is of the workspace that its card has left.
    .filter(({ from, to }) => tables.has(from) && tables.has(to) && from !== "card_aliases")
    .map(
      ({ from, column, to }) =>
        `SELECT '${from}.${column}' AS stray FROM ${from} f JOIN ${to} t ON t.id = f."${column}" WHERE f."workspaceId" <> t."workspaceId"`,
    );
  const rows = await app.db.read<{ stray: string }>(checks.join(" UNION ALL "), []);
  return rows.map(({ stray }) => stray);
}
