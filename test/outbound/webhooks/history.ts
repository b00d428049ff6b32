import { nextNumbers } from "../../../src/kernel/events/log-sql.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { allowLongStatements } from "../../../src/platform/db/transaction.ts";
import type { App } from "../../support/app.ts";

/**
 * Adds one event per second before now; the API adds them at present.
 */
export async function addHistory(
  { db, deps }: App,
  workspacePublicId: string,
  events: number,
): Promise<void> {
  await db.transact(async (_, query) => {
    await query(allowLongStatements);
    const taken = sql`SELECT id, ${events}::bigint FROM workspaces
      WHERE "publicId" = ${workspacePublicId}`;
    await query(sql`WITH counter AS (${nextNumbers("workspace", taken)})
      INSERT INTO events ("publicId", "workspaceId", type, "actorType", "actorName",
        data, number, "createdAt")
      SELECT 'past' || n, w.id, 'card.updated', 'system', 'system', '{"card": {"title": "Card"}}',
        counter.last - ${events}::bigint + n,
        ${deps.clock()}::timestamptz - (${events} - n) * interval '1 second'
      FROM workspaces w JOIN counter ON counter."workspaceId" = w.id,
        generate_series(1, ${events}::int) AS n
      WHERE w."publicId" = ${workspacePublicId}`);
  });
}
