import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Webhook } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

const find = async (query: Query, publicId: string, lock: Sql): Promise<Webhook> => {
  const [row] = await query<Webhook>(sql`SELECT w.* FROM webhooks w
    JOIN workspaces s ON s.id = w."workspaceId" AND s."deletedAt" IS NULL
    WHERE w."publicId" = ${publicId} AND w."deletedAt" IS NULL ${lock}`);
  if (row === undefined) throw notFound("webhook");
  return row;
};

/** Finds a webhook of any workspace; 404 when it, or its workspace, is deleted. */
export const findWebhook = (query: Query, publicId: string): Promise<Webhook> =>
  find(query, publicId, sql.empty);

/** Locks a webhook of any workspace, for events in the log of its workspace. */
export async function lockWebhook(tx: UnitOfWork, publicId: string): Promise<Webhook> {
  const webhook = await find(tx.query, publicId, sql`FOR NO KEY UPDATE OF w`);
  tx.workspaceId = webhook.workspaceId;
  return webhook;
}
