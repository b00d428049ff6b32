import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { conflict } from "../../platform/errors.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

const mebibyte = 1024 * 1024;
type Holder = Pick<UnitOfWork, "query" | "lock">;

/** The maximum size of a file, in bytes. */
export const fileBytes = 50 * mebibyte;

/** SQL: the bytes of the files of a workspace, also of those in the trash. */
export const fileBytesSql = (workspaceId: Sql): Sql => sql`(
  SELECT coalesce(sum(coalesce(a.size, ${fileBytes}::bigint)), 0)::text FROM attachments a
  WHERE a."workspaceId" = ${workspaceId} AND a."storageKey" IS NOT NULL)`;

/** The quota of a workspace in MiB, and how many bytes of it are free. */
type Space = { quota: number; freeBytes: number };

/**
 * Reads the quota of a workspace, its own or else that of the service in MiB; locks its row.
 *
 * An upload whose length is not known yet counts as the largest file.
 */
export async function readSpace(
  tx: Holder,
  workspaceId: bigint,
  serviceQuota: number,
): Promise<Space> {
  await tx.lock("workspaces", [workspaceId]);
  const [row] = await tx.query<{ quota: number; used: string }>(sql`
    SELECT coalesce(w."attachmentsQuota", ${serviceQuota}::int) AS quota,
      ${fileBytesSql(sql`w.id`)} AS used
    FROM workspaces w WHERE w.id = ${workspaceId}`);
  const { quota, used } = row ?? { quota: serviceQuota, used: "0" };
  return { quota, freeBytes: quota * mebibyte - Number(used) };
}

/** 409 when the added bytes exceed the quota of a workspace; locks the workspace's row. */
export async function checkQuota(
  tx: Holder,
  workspaceId: bigint,
  serviceQuota: number,
  addedBytes = 0,
): Promise<void> {
  const { quota, freeBytes } = await readSpace(tx, workspaceId, serviceQuota);
  if (addedBytes > freeBytes) {
    throw conflict(
      "quota_exceeded",
      `The workspace exceeds its attachment quota of ${quota} MiB; files in the trash count.`,
    );
  }
}
