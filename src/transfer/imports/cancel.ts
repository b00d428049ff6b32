import { Import } from "../../contract/resources/imports.ts";
import { cancel } from "../../kernel/jobs/queue.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { conflict } from "../../platform/errors.ts";
import { checkImportAccess } from "../../domain/imports/access.ts";
import { ended } from "./job/target.ts";
import { discardImportFiles } from "./job/files.ts";
import { discardReadings } from "./job/readings.ts";
import { showImport } from "../../domain/shown/imports.ts";

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
    const { import: importRow, workspace, deps, transact } = ctx;
    const cancelled = await transact(async (tx, { import: now }) => {
      // A run may still be storing a file, and a file may still be sent: both remove their files.
      const isBusy = now.status === "running" || now.fingerprint === null;
      if (now.status === "cancelled") return { shown: showImport(now, workspace), isBusy };
      if (now.status !== "queued" && now.status !== "running")
        throw conflict("import_ended", `The import has already ${now.status}.`);
      const row = await tx.prisma.import.update({
        where: { id: importRow.id },
        data: { ...ended, status: "cancelled", finishedAt: tx.now, updatedAt: tx.now },
      });
      await cancel(tx, "import", row.publicId);
      const shownImport = showImport(row, workspace);
      tx.emit("import.cancelled", { import: shownImport });
      return { shown: shownImport, isBusy };
    });
    if (!cancelled.isBusy) await discardImportFiles(deps, sql`i.id = ${importRow.id}`);
    await discardReadings(deps, sql`i.id = ${importRow.id}`);
    return cancelled.shown;
  });
