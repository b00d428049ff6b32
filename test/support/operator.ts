import { sql } from "../../src/platform/db/sql.ts";
import type { App } from "./app.ts";

/** Makes an account an operator's, as an operator would. */
export const makeOperator = ({ db }: Pick<App, "db">, publicId: string) =>
  db.write(sql`UPDATE users SET "isOperator" = true WHERE "publicId" = ${publicId}`);

/** Takes all admins out of a workspace, as accounts that were deleted in the trash are. */
export const withoutAdmins = ({ db }: Pick<App, "db">, workspacePublicId: string) =>
  db.write(sql`UPDATE members SET status = 'removed', "removedAt" = now()
    WHERE "workspaceId" = (SELECT id FROM workspaces WHERE "publicId" = ${workspacePublicId})`);

/** Inserts a mail job that no worker takes: it is due in a year, or has failed. */
export async function insertJob({ db }: Pick<App, "db">, status: "queued" | "failed") {
  const [row] = await db.write<{ id: bigint }>(sql`
    INSERT INTO jobs (kind, payload, status, attempts, "runAt", "lastError", "finishedAt")
    VALUES ('mail', '{"sealed": "x"}', ${status}::"JobStatus", 3, now() + interval '1 year',
      'no route', ${status === "failed" ? new Date() : null}::timestamptz) RETURNING id`);
  if (row === undefined) throw new Error("No job was inserted.");
  return row.id;
}
