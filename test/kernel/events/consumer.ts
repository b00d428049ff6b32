import type { EventConsumer } from "../../../src/kernel/events/consumers.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import type { App } from "../../support/app.ts";

/**
 * A consumer of the test's own: it writes id and type of each event into a new table `consumed`.
 */
export async function addConsumer({ db }: App): Promise<EventConsumer> {
  await db.write(sql`CREATE TABLE consumed ("eventId" bigint, type text)`);
  return () => ({
    stored: [],
    ctes: sql`consumed_rows AS (INSERT INTO consumed SELECT id, type FROM recorded)`,
  });
}
