import { externalMutation } from "../../kernel/procedures/external.ts";
import { conflict } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cancel } from "../../kernel/jobs/queue.ts";
import { dropFiles } from "./files.ts";
import { checkMine } from "./visible-imports.ts";
import { ended } from "./context.ts";
import { Import } from "../../contract/resources/imports.ts";
import { viewImport } from "./view.ts";
import { sql } from "../../platform/db/sql.ts";

/** Stops an import; what it has made so far stays, each card of it whole. */
export const cancelImport = externalMutation("import.cancel")
  .meta(
    rest("Imports").post(
      "/imports/{importPublicId}/cancel",
      "Cancel an import",
      "Stops an import; what it has made so far stays, each card of it whole. Cancelling it again changes nothing; one that has ended otherwise is 409. For whoever started it, and those who manage the workspace.",
    ),
  )
  .output(Import)
  .mutation(async ({ ctx }) => {
    checkMine(ctx);
    const { import: found, workspace, deps, transact } = ctx;
    const done = await transact(async (tx) => {
      await tx.query(sql`SELECT 1 FROM imports WHERE id = ${found.id} FOR NO KEY UPDATE`);
      const now = await tx.prisma.import.findUniqueOrThrow({ where: { id: found.id } });
      const wasRunning = now.status === "running";
      if (now.status === "cancelled") return { shown: viewImport(now, workspace), wasRunning };
      if (now.status !== "queued" && now.status !== "running") {
        throw conflict(`The import has ${now.status} already.`);
      }
      const row = await tx.prisma.import.update({
        where: { id: found.id },
        data: { ...ended, status: "cancelled", finishedAt: tx.now, updatedAt: tx.now },
      });
      await cancel(tx, "import", row.publicId);
      const shown = viewImport(row, workspace);
      tx.emit("import.cancelled", { import: shown });
      return { shown, wasRunning };
    });
    // Whoever runs it may be storing a file at this moment, and removes what there is when it finds out.
    if (!done.wasRunning) await dropFiles(deps, found.id);
    return done.shown;
  });
