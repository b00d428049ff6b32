import type { Query } from "../../src/platform/db/query.ts";
import { sql } from "../../src/platform/db/sql.ts";
import type { App } from "./app.ts";

type Db = Pick<App, "db">;

/** Replaces a webhook's secret by one that cannot be decrypted, as after a change of APP_SECRET. */
export const damageSecret = ({ db }: Db, webhookPublicId: string) =>
  db.write(sql`UPDATE webhooks SET secret = 'v1.nonsense' WHERE "publicId" = ${webhookPublicId}`);

/** Gives a webhook an address that the API refuses, as if the rules were stricter than before. */
export const setWebhookUrl = ({ db }: Db, webhookPublicId: string, url: string) =>
  db.write(sql`UPDATE webhooks SET url = ${url} WHERE "publicId" = ${webhookPublicId}`);

/** Ends the leases of all webhooks, as if another instance had claimed them and stopped. */
export const loseWebhookLeases = ({ db }: Db) =>
  db.write(sql`UPDATE webhooks SET "leasedBy" = NULL, "leasedUntil" = NULL`);

/** Deletes the events of a workspace; the purge does so 90 days later, with their deliveries. */
export const loseEvents = ({ db }: Db, workspacePublicId: string) =>
  db.write(sql`
    DELETE FROM events e USING workspaces w
    WHERE w.id = e."workspaceId" AND w."publicId" = ${workspacePublicId}`);

/** Ends the leases of running imports at once, as time would after the end of their process. */
export const loseImportLeases = (write: Query) =>
  write(sql`UPDATE jobs SET "runAt" = now() WHERE kind = 'import' AND status = 'running'`);

/** Gives an import to another run, as if this one had been silent for longer than its lease. */
export const loseImport = ({ db }: Db, importPublicId: string) =>
  db.write(sql`UPDATE imports SET "lockedBy" = 'another' WHERE "publicId" = ${importPublicId}`);

/** Fails the job of an import, as if its process had been killed in every attempt. */
export const failImportJob = ({ db }: Db, importPublicId: string) =>
  db.write(sql`UPDATE jobs SET status = 'failed' WHERE "uniqueKey" = ${importPublicId}`);

/** Lets an import have waited for a failing source as often as it may; that takes an hour. */
export const exhaustWaits = ({ db }: Db, importPublicId: string) =>
  db.write(sql`UPDATE imports SET failures = 6 WHERE "publicId" = ${importPublicId}`);

/** Takes the last events of a workspace's log away, as a restored backup would. */
export const restoreLog = ({ db }: Db, workspacePublicId: string, lost: number) =>
  db.write(sql`
    WITH log AS (UPDATE logs l SET last = l.last - ${lost}::int FROM workspaces w
      WHERE w.id = l."workspaceId" AND w."publicId" = ${workspacePublicId} RETURNING w.id, l.last)
    DELETE FROM events e USING log WHERE e."workspaceId" = log.id AND e.number > log.last`);

/** Takes the last events of a user's log away, as a restored backup would. */
export const restoreUserLog = ({ db }: Db, publicId: string, lost: number) =>
  db.write(sql`
    WITH log AS (UPDATE logs l SET last = l.last - ${lost}::int FROM users u
      WHERE u.id = l."userId" AND u."publicId" = ${publicId} RETURNING u.id, l.last)
    DELETE FROM events e USING log WHERE e."userId" = log.id AND e.number > log.last`);

/** Provokes an error of the database whose details show a whole row with this name. */
export const violateConstraint = ({ db }: Db, name: string): Promise<unknown> =>
  db
    .write(
      sql`INSERT INTO users ("publicId", email, name) VALUES ('x', 'row@example.com', ${name})`,
    )
    .then(
      () => undefined,
      (error: unknown) => error,
    );

/** The write of a password reset, for a transaction that stays open during a call. */
export const resetPassword = (write: Query, email: string, hash: string) =>
  write(sql`UPDATE users SET "passwordHash" = ${hash} WHERE email = ${email}`);

/** The write of an account's deletion, for a transaction that stays open during a call. */
export const deleteAccount = (write: Query, email: string) =>
  write(sql`
    UPDATE users SET email = 'deleted-' || "publicId" || '@deleted.invalid', "deletedAt" = now()
    WHERE email = ${email}`);

/** The writes of a role's deletion, for a transaction that stays open during a call. */
export async function deleteRole(write: Query, role: string, replacement: string) {
  await write(sql`
    UPDATE invites i SET "roleId" = r.id FROM roles r, roles old
    WHERE r."publicId" = ${replacement} AND old.id = i."roleId" AND old."publicId" = ${role}`);
  await write(sql`DELETE FROM roles WHERE "publicId" = ${role}`);
}

/** The write of a card's move, for a transaction that stays open during a call. */
export const moveCard = (write: Query, card: string, list: string, position: string) =>
  write(sql`
    UPDATE cards SET position = ${position}::numeric, "listId" = (
      SELECT id FROM lists WHERE "publicId" = ${list}) WHERE "publicId" = ${card}`);
