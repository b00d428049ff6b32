import { sql } from "../../src/platform/db/sql.ts";
import type { App } from "./app.ts";

type Db = Pick<App, "db">;

/** Adds a table `uncounted` that a trigger fills at each event, as no limit counts it. */
export async function addUncountedTable({ db }: Db): Promise<void> {
  await db.write(sql`CREATE TABLE uncounted AS SELECT id FROM webhooks WHERE false`);
  await db.write(sql`CREATE FUNCTION fan_out() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO uncounted SELECT w.id FROM webhooks w, generate_series(1, 10);
    RETURN NULL; END $$`);
  await db.write(sql`CREATE TRIGGER fan_out AFTER INSERT ON events
    FOR EACH ROW EXECUTE FUNCTION fan_out()`);
}

/** Removes what `addUncountedTable` has added. */
export async function removeUncountedTable({ db }: Db): Promise<void> {
  await db.write(sql`DROP FUNCTION IF EXISTS fan_out() CASCADE`);
  await db.write(sql`DROP TABLE IF EXISTS uncounted`);
}
