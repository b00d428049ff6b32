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
