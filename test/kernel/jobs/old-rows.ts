import { publicId } from "../../../src/platform/db/public-id.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import type { App } from "../../support/app.ts";

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
  await db.transact(async (prisma) => {
    const event = await prisma.event.findFirstOrThrow({ where: { boardPublicId, type } });
    const { workspaceId, id: eventId } = event;
    const url = "https://example.com";
    const hook = { publicId: publicId(), workspaceId, name: "Hook", url, secret: "s" };
    const { id: webhookId } = await prisma.webhook.create({ data: hook });
    const delivery = { workspaceId, webhookId, eventId, type };
    await prisma.delivery.create({ data: { ...delivery, publicId: publicId() } });
    const done = { status: "succeeded", finishedAt: deps.clock() } as const;
    await prisma.delivery.create({ data: { ...delivery, ...done, publicId: publicId() } });
  });
}

/** Ends all deliveries, as their last attempts would. */
export const failDeliveries = ({ db, deps }: App) =>
  db.write(sql`
    UPDATE deliveries SET status = 'failed', "finishedAt" = ${deps.clock()}::timestamptz`);

/** Inserts saved answers of keyed requests, as if so many requests had been sent at a time. */
export const insertIdempotencyKeys = ({ db }: App, scope: string, count: number, createdAt: Date) =>
  db.write(sql`
    INSERT INTO idempotency_keys (scope, key, "requestHash", "createdAt")
    SELECT ${scope}::text, n::text, '', ${createdAt}::timestamptz
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
  await db.transact(async (prisma) => {
    await prisma.streamTicket.create({ data: { ...common, ticketHash: hash, credential: {} } });
    await prisma.oauthState.create({
      data: { ...common, provider: "github", stateHash: hash, codeVerifier: name },
    });
    await prisma.passwordReset.create({ data: { ...common, tokenHash: hash } });
    await prisma.passwordReset.create({
      data: { ...ended, tokenHash: `${hash} used`, usedAt: expiresAt },
    });
    const session = await prisma.session.create({
      data: { ...common, publicId: publicId(), userAgent: name },
    });
    await prisma.refreshToken.create({ data: { sessionId: session.id, tokenHash: hash } });
    await prisma.session.create({
      data: { ...ended, publicId: publicId(), revokedAt: expiresAt },
    });
  });
}
