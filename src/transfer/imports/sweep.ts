import type { Deps } from "../../kernel/request/deps.ts";
import { actorOf } from "../../kernel/events/actor.ts";
import { runInTransaction } from "../../kernel/events/transaction.ts";
import { persistEvents } from "../../kernel/events/persist.ts";
import { dropFiles } from "./files.ts";
import { ended } from "./context.ts";
import { viewImport } from "./view.ts";
import { sql } from "../../platform/db/sql.ts";

/** Whatever has been on its way up for so long is not going to come any more. */
const uploadMs = 24 * 60 * 60 * 1000;

const lost = (before: Date) =>
  sql`SELECT i.id, i.fingerprint IS NULL AS "neverCame", w."publicId" AS "workspacePublicId" FROM imports i JOIN workspaces w ON w.id = i."workspaceId"
  WHERE i.status IN ('queued', 'running') AND NOT EXISTS (SELECT 1 FROM jobs j
    WHERE j.kind = 'import' AND j."uniqueKey" = i."publicId" AND j.status IN ('queued', 'running'))
  AND (i.fingerprint IS NOT NULL OR i."createdAt" < ${before}::timestamptz) LIMIT 100`;

type Lost = { id: bigint; neverCame: boolean; workspacePublicId: string };

/** Ends imports that nobody is going to go on with: their job has been given up, or their file never came. Answers how many. */
export async function settleLost(deps: Deps): Promise<number> {
  const { db, clock } = deps;
  const before = new Date(clock().getTime() - uploadMs);
  const rows = await db.read<Lost>(lost(before));
  for (const { id, neverCame, workspacePublicId } of rows) {
    await runInTransaction<"import.failed", void>(deps, ["import.failed"], async (tx) => {
      const [row] = await tx.prisma.import.updateManyAndReturn({
        where: { id, status: { in: ["queued", "running"] } },
        data: {
          ...ended,
          status: "failed",
          error: neverCame
            ? "Its file never came. Send it again."
            : "It was interrupted too often. Start it again to go on where it stopped.",
          finishedAt: tx.now,
          updatedAt: tx.now,
        },
      });
      if (row === undefined) return;
      tx.workspaceId = row.workspaceId;
      tx.emit("import.failed", { import: viewImport(row, { publicId: workspacePublicId }) });
      await persistEvents(tx, actorOf(null), null);
    });
  }
  return rows.length;
}

/** Whoever ran what was cancelled may still be storing a file, and needs the note of it to remove it. */
const storingMs = 60 * 60 * 1000;

const leftBehind = (before: Date) =>
  sql`SELECT DISTINCT f."importId" FROM import_files f JOIN imports i ON i.id = f."importId"
  WHERE i.status IN ('completed', 'failed') OR i.status = 'cancelled' AND i."finishedAt" <= ${before}::timestamptz LIMIT 100`;

/** Ends imports that are lost, and removes the files of those that have ended. */
export async function sweepImports(deps: Deps): Promise<void> {
  while ((await settleLost(deps)) > 0);
  const before = new Date(deps.clock().getTime() - storingMs);
  const rows = await deps.db.read<{ importId: bigint }>(leftBehind(before));
  for (const { importId } of rows) await dropFiles(deps, importId);
}
