import { insertRows } from "../../../src/platform/db/insert-rows.ts";
import { publicId } from "../../../src/platform/db/public-id.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import type { App } from "../../support/app.ts";

const returnId = sql`RETURNING id`;

/** Counts the rows that each transaction deletes from a table, until the returned call. */
export async function countDeletions({ db }: App, table: string): Promise<() => Promise<number[]>> {
  const name = sql.identifier(table);
  await db.write(sql`CREATE TABLE batches (size bigint, transaction text)`);
  await db.write(sql`
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO batches SELECT count(*), pg_current_xact_id()::text FROM gone;
      RETURN NULL; END $$`);
  await db.write(sql`
    CREATE TRIGGER note AFTER DELETE ON ${name} REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION note()`);
  return async () => {
    await db.write(sql`DROP TRIGGER note ON ${name}`);
    const batches = await db.read<{ size: number }>(sql`
      SELECT sum(size)::int AS size FROM batches
      GROUP BY transaction HAVING sum(size) > 0 ORDER BY 1`);
    return batches.map(({ size }) => size);
  };
}

/** A pending delivery of a board's event and one that succeeded; sending them needs a target. */
export async function insertDeliveries({ db, deps }: App, boardPublicId: string, type: string) {
  const event = await db.reader.event.findFirst({ where: { boardPublicId, type } });
  if (event === null) throw new Error(`The board has no event ${type}.`);
  const { workspaceId, id: eventId } = event;
  const url = "https://example.com";
  const hook = { publicId: publicId(), workspaceId, name: "Hook", url, secret: "s", events: [] };
  const [webhook] = await insertRows<{ id: bigint }>(db.write, "webhooks", [hook], returnId);
  const delivery = { workspaceId, webhookId: webhook?.id, eventId, type };
  const done = { status: "succeeded", finishedAt: deps.clock() };
  await insertRows(db.write, "deliveries", [{ ...delivery, publicId: publicId() }]);
  await insertRows(db.write, "deliveries", [{ ...delivery, ...done, publicId: publicId() }]);
}

/** Ends all deliveries, as their last attempts would. */
export const failDeliveries = ({ db, deps }: App) =>
  db.write(sql`
    UPDATE deliveries SET status = 'failed', "finishedAt" = ${deps.clock()}::timestamptz`);

/** Inserts saved answers of keyed requests, as if so many requests had been sent at a time. */
export const insertIdempotencyKeys = ({ db }: App, scope: string, count: number, createdAt: Date) =>
  db.write(sql`
    INSERT INTO idempotency_keys (digest, request, "createdAt")
    SELECT idempotency_digest(${scope}::text, n::text), '', ${createdAt}::timestamptz
    FROM generate_series(1, ${count}::int) n`);

/**
 * Inserts one of each credential of a user that ends at a time, and a used or revoked one with the
 * end `last`. Through the API each has its own lifetime.
 */
export async function insertCredentials(
  { db }: App,
  email: string,
  name: string,
  expiresAt: Date,
  last: Date,
) {
  const { id: userId } = await db.reader.user.findUniqueOrThrow({ where: { email } });
  const common = { userId, expiresAt };
  const ended = { userId, expiresAt: last };
  const hash = `${name} ${publicId()}`;
  const insert = (table: string, ...rows: object[]) => insertRows(db.write, table, rows);
  await insert("stream_tickets", { ...common, ticketHash: hash, credential: {} });
  const state = { provider: "github", stateHash: hash, codeVerifier: name };
  await insert("oauth_states", { ...common, ...state });
  await insert("password_resets", { ...common, tokenHash: hash });
  await insert("password_resets", { ...ended, tokenHash: `${hash} used`, usedAt: expiresAt });
  const row = { ...common, publicId: publicId(), userAgent: name };
  const [session] = await insertRows<{ id: bigint }>(db.write, "sessions", [row], returnId);
  await insert("refresh_tokens", { sessionId: session?.id, tokenHash: hash });
  await insert("sessions", { ...ended, publicId: publicId(), revokedAt: expiresAt });
}

/** Queues imports of workspaces of one account, as many as have ended; the API would need minutes. */
export const insertImports = ({ db, deps }: App, workspaceIds: bigint[], count: number) =>
  db.write(sql`
    INSERT INTO jobs (kind, payload, "workspaceId", "accountId", status, "runAt", "startedAt")
    SELECT 'import', jsonb_build_object('publicId', 'crowd ' || n), w.id, w."createdById",
      (ARRAY['queued', 'completed'])[1 + n % 2]::"JobStatus", ${deps.clock()}::timestamptz,
      CASE n % 2 WHEN 1 THEN ${deps.clock()}::timestamptz END
    FROM workspaces w, generate_series(1, ${2 * count}::int) AS n
    WHERE w.id = ANY (${workspaceIds}::bigint[])`);
