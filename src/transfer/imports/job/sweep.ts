import type { Deps } from "../../../kernel/request/deps.ts";
import { actorOf } from "../../../kernel/events/actor.ts";
import { persistEvents } from "../../../kernel/events/persist.ts";
import { runInTransaction } from "../../../kernel/events/transaction.ts";
import { sql } from "../../../platform/db/sql.ts";
import { ended } from "./target.ts";
import { discardImportFiles } from "./files.ts";
import { discardReadings } from "./readings.ts";
import { showImport } from "../../../domain/presenters/imports.ts";

/** How long an upload may take before it counts as lost. */
const uploadMs = 24 * 60 * 60 * 1000;

type Lost = { id: bigint; isUpload: boolean; workspacePublicId: string };

/** Imports without a job, and imports whose upload is lost. */
const lostImports = (before: Date) => sql`
  SELECT i.id, i.fingerprint IS NULL AS "isUpload", w."publicId" AS "workspacePublicId"
  FROM imports i JOIN workspaces w ON w.id = i."workspaceId"
  WHERE i.status IN ('queued', 'running')
    AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = 'import'
      AND j."uniqueKey" = i."publicId" AND j.status IN ('queued', 'running'))
    AND (i.fingerprint IS NOT NULL OR i."createdAt" < ${before}::timestamptz) LIMIT 100`;

/** Fails imports that no job continues; returns how many. */
export async function failLostImports(deps: Deps): Promise<number> {
  const { db, clock } = deps;
  const before = new Date(clock().getTime() - uploadMs);
  const rows = await db.read<Lost>(lostImports(before));
  for (const { id, isUpload, workspacePublicId } of rows) {
    const error = isUpload
      ? "The file was not received. Send it again."
      : "The import was interrupted too often. Start it again to continue it.";
    await runInTransaction<"import.failed", void>(deps, ["import.failed"], async (tx) => {
      const [row] = await tx.prisma.import.updateManyAndReturn({
        where: { id, status: { in: ["queued", "running"] } },
        data: { ...ended, status: "failed", error, finishedAt: tx.now, updatedAt: tx.now },
      });
      if (row === undefined) return;
      tx.workspaceId = row.workspaceId;
      tx.emit("import.failed", { import: showImport(row, { publicId: workspacePublicId }) });
      await persistEvents(tx, actorOf(null), null);
    });
  }
  return rows.length;
}

/** The run of a cancelled import may be storing a file, or its file be sent: the rows stay. */
const storingMs = 60 * 60 * 1000;

const importsWithFiles = (now: number) => sql`
  SELECT DISTINCT f."importId" FROM import_files f JOIN imports i ON i.id = f."importId"
  WHERE i.status IN ('completed', 'failed') OR i.status = 'cancelled'
    AND i."finishedAt" <= ${new Date(now - storingMs)}::timestamptz
    AND (i.fingerprint IS NOT NULL OR i."createdAt" <= ${new Date(now - uploadMs)}::timestamptz)
  LIMIT 100`;

/** Fails lost imports, and removes the files of imports that have ended. */
export async function sweepImports(deps: Deps): Promise<void> {
  while ((await failLostImports(deps)) > 0);
  const now = deps.clock().getTime();
  const rows = await deps.db.read<{ importId: bigint }>(importsWithFiles(now));
  for (const { importId } of rows) await discardImportFiles(deps, sql`i.id = ${importId}`);
  await discardReadings(deps, sql`i.status IN ('completed', 'failed', 'cancelled')`);
}
