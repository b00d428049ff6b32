import { z } from "zod";
import { Import } from "../../contract/resources/imports.ts";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { Import as ImportRow } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { notFound } from "../../platform/errors.ts";
import { cancelAndDiscard, endCancelled } from "./cancel.ts";

type Row = ImportRow & { workspacePublicId: string };

/** Cancels an import into any workspace. */
export const cancelAnyImport = externalMutation(
  "operator.cancelImport",
  z.strictObject({ importPublicId: inputId("import") }),
)
  .meta(
    rest("Operator").post(
      "/operator/imports/{importPublicId}/cancel",
      "Cancel any import",
      "Cancels an import into any workspace, as `import.cancel` does. Cards imported so far stay. " +
        "Returns 409 if it has completed or failed.",
    ),
  )
  .output(Import)
  .mutation(({ ctx: { deps, transact }, input: { importPublicId } }) =>
    cancelAndDiscard(deps, () =>
      transact(async (tx) => {
        const [row] = await tx.query<Row>(sql`
          SELECT i.*, w."publicId" AS "workspacePublicId"
          FROM imports i JOIN workspaces w ON w.id = i."workspaceId"
          WHERE i."publicId" = ${importPublicId} FOR NO KEY UPDATE OF i`);
        if (row === undefined) throw notFound("import");
        return endCancelled(tx, row, { publicId: row.workspacePublicId });
      }),
    ),
  );
