import type { z } from "zod";
import { Import } from "../../contract/resources/imports.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { cancel } from "../../kernel/jobs/queue.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { Import as ImportRow } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { conflict } from "../../platform/errors.ts";
import { checkImportAccess } from "../../domain/imports/access.ts";
import { ended } from "./job/target.ts";
import { discardImportFiles } from "./job/files.ts";
import { discardReadings } from "./job/readings.ts";
import { showImport } from "../../domain/presenters/imports.ts";

/** Cancels an import. Its finished cards stay, and each of them is complete. */
export const cancelImport = externalMutation("import.cancel")
  .meta(
    rest("Imports").post(
      "/imports/{importPublicId}/cancel",
      "Cancel an import",
      "Cancels an import. Cards imported so far stay, and each of them is complete. The caller " +
        "must have started the import or have `workspace:manage`. Cancelling it again changes " +
        "nothing. Returns 409 if it has completed or failed.",
    ),
  )
  .output(Import)
  .mutation(async ({ ctx }) => {
    checkImportAccess(ctx);
    const { workspace, deps, transact } = ctx;
    return cancelAndDiscard(deps, () =>
      transact((tx, { import: row }) => endCancelled(tx, row, workspace)),
    );
  });

/** What became of a cancelled import. `isBusy`: a run or an upload removes the files itself. */
type Cancelled = { id: bigint; shown: z.infer<typeof Import>; isBusy: boolean };

/** Cancels an import, then discards what it has stored for its own work. */
export async function cancelAndDiscard(deps: Deps, run: () => Promise<Cancelled>) {
  const { id, shown, isBusy } = await run();
  if (!isBusy) await discardImportFiles(deps, sql`i.id = ${id}`);
  await discardReadings(deps, sql`i.id = ${id}`);
  return shown;
}

/** Ends a locked import as cancelled; 409 if it has ended otherwise. */
export async function endCancelled(
  tx: UnitOfWork<"import.cancelled">,
  now: ImportRow,
  workspace: { publicId: string },
): Promise<Cancelled> {
  const { id } = now;
  // A run may still be storing a file, and a file may still be sent: both remove their files.
  const isBusy = now.status === "running" || now.fingerprint === null;
  if (now.status === "cancelled") return { id, shown: showImport(now, workspace), isBusy };
  if (now.status !== "queued" && now.status !== "running")
    throw conflict("import_ended", `The import has already ${now.status}.`);
  const row = await tx.prisma.import.update({
    where: { id },
    data: { ...ended, status: "cancelled", finishedAt: tx.now, updatedAt: tx.now },
  });
  await cancel(tx, "import", row.publicId);
  const shown = showImport(row, workspace);
  tx.emitIn(row.workspaceId, "import.cancelled", { import: shown });
  return { id, shown, isBusy };
}
