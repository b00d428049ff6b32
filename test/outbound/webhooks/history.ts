import { setClock } from "../../../src/kernel/events/log.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import type { App } from "../../support/app.ts";

/**
 * Adds one event per second before now, three in each transaction; the API adds them at present.
 */
export async function addHistory(
  { db, deps }: App,
  workspacePublicId: string,
  events: number,
): Promise<void> {
  await db.transact(async (_, query) => {
    await query(sql`SET LOCAL statement_timeout = 0`);
    await query(sql`INSERT INTO events ("publicId", "workspaceId", type, "actorType", "actorName",
        data, "transactionId", "createdAt")
      SELECT 'past' || n, w.id, 'card.updated', 'system', 'system', '{"card": {"title": "Card"}}',
        1000000 + n / 3,
        ${deps.clock()}::timestamptz - (${events} - n) * interval '1 second'
      FROM workspaces w, generate_series(1, ${events}::int) AS n
      WHERE w."publicId" = ${workspacePublicId}`);
  });
  await setClock(db.write);
}
