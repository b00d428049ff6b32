import type { App } from "../../support/app.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { statementOf } from "../../support/statement-of.ts";

/** What a call may change without an event: when a credential was used, attempts, and repeated calls. */
const unannounced = new Set(
  "sessions api_keys idempotency_keys client_ids attempt_counts".split(" "),
);

/** An upload reserves its file, and a part of a file is no attachment. */
const shown: Record<string, string> = { attachments: "status = 'stored'" };

/** Lets the database refuse events as long as a test wants, and sums up all other rows. */
export async function refuseEvents({ db }: App) {
  const run = (text: string) => db.write(statementOf(text));
  await run(`CREATE FUNCTION refuse_event() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'a test' USING ERRCODE = '57014'; END $$`);
  await run("CREATE TRIGGER refuse_event BEFORE INSERT ON events EXECUTE FUNCTION refuse_event()");
  const allow = () => run("ALTER TABLE events DISABLE TRIGGER refuse_event");
  await allow();
  const tables = await db.read<{ name: string }>(sql`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`);
  const sums = tables
    .filter(({ name }) => !unannounced.has(name))
    .map(
      ({
        name,
      }) => `SELECT '${name}' AS name, count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0)
        AS rows FROM "${name}" WHERE ${shown[name] ?? "true"}`,
    );
  return {
    allow,
    refuse: () => run("ALTER TABLE events ENABLE TRIGGER refuse_event"),
    /** The number of rows of each table, with the transactions that wrote them. */
    changes: async () => {
      const rows = await db.read<{ name: string; rows: string }>(
        statementOf(sums.join(" UNION ALL ")),
      );
      return Object.fromEntries(rows.map((row) => [row.name, row.rows]));
    },
    drop: () => run("DROP FUNCTION refuse_event() CASCADE"),
  };
}
