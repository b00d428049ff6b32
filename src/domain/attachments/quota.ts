import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { conflict } from "../../platform/errors.ts";
import { sql } from "../../platform/db/sql.ts";

const mebibyte = 1024 * 1024;
type Holder = Pick<UnitOfWork, "query" | "lock">;

/** The maximum size of a file, in bytes. */
export const fileBytes = 50 * mebibyte;

/**
 * The bytes of the files of a workspace, also of those in the trash; locks the workspace's row.
 *
 * An upload whose length is not known yet counts as the largest file.
 */
export async function usedBytes(tx: Holder, workspaceId: bigint): Promise<number> {
  await tx.lock("workspaces", [workspaceId]);
  const [row] = await tx.query<{ size: string }>(sql`
    SELECT coalesce(sum(coalesce(size, ${fileBytes}::bigint)), 0)::text AS size FROM attachments
    WHERE "workspaceId" = ${workspaceId} AND "storageKey" IS NOT NULL`);
  return Number(row?.size ?? 0);
}

/** 409 when the added bytes exceed the quota of a workspace, in MiB; locks the workspace's row. */
export async function checkQuota(
  tx: Holder,
  workspaceId: bigint,
  quota: number,
  addedBytes = 0,
): Promise<void> {
  if ((await usedBytes(tx, workspaceId)) + addedBytes > quota * mebibyte) {
    throw conflict(
      "quota_exceeded",
      `The workspace exceeds its attachment quota of ${quota} MiB; files in the trash count.`,
    );
  }
}
