import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { conflict } from "../../platform/errors.ts";
import { sql } from "../../platform/db/sql.ts";

const mebibyte = 1024 * 1024;

/** The maximum size of a file, in bytes. */
export const fileBytes = 50 * mebibyte;

/** 409 when `more` bytes exceed the quota of a workspace, in MiB; locks the workspace's row. */
export async function checkQuota(
  tx: Pick<UnitOfWork, "query" | "lock">,
  workspaceId: bigint,
  quota: number,
  more = 0,
): Promise<void> {
  await tx.lock("workspaces", [workspaceId]);
  const [row] = await tx.query<{ full: boolean }>(
    sql`SELECT coalesce(sum(size),
      0) + ${BigInt(more)}::bigint > ${BigInt(quota) * BigInt(mebibyte)}::bigint AS full
      FROM attachments
     WHERE "workspaceId" = ${workspaceId} AND "storageKey" IS NOT NULL`,
  );
  if (row?.full) {
    throw conflict(
      "quota_exceeded",
      `The workspace exceeds its attachment quota of ${quota} MiB; files in the trash count.`,
    );
  }
}
