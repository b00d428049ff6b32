import { withNewIds } from "../../../domain/parts/views.ts";
import { insertRows } from "../../../platform/db/insert-rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { Items } from "../../format/workspace.ts";
import { importStep, newRow, type Writer } from "../write/step.ts";
import { memberMissing, type MapCardContext } from "./map-card.ts";

/** Writes a view of the document; a private one is of its owner again. */
export const writeView = (
  writer: Writer,
  view: Items["views"],
  { idOf, isNamed, members }: MapCardContext,
): Promise<void> =>
  importStep(writer, async (step) => {
    const { tx, report, target } = step;
    const { publicId: sourceId, name, layout, boardPublicId, ownerPublicId } = view;
    const owner = ownerPublicId === null ? null : members.get(ownerPublicId);
    if (owner === undefined) {
      report.skip({ kind: "view", sourceId, name, reason: memberMissing });
      return;
    }
    const [board] =
      boardPublicId === null
        ? []
        : await tx.query<{ id: bigint }>(sql`SELECT id FROM boards
            WHERE "publicId" = ${idOf(boardPublicId)} AND "workspaceId" = ${target.id}`);
    if (boardPublicId !== null && board === undefined) return;
    const row = {
      ...newRow(step, view),
      ...withNewIds(view, { idOf, isNamed }),
      boardId: board?.id ?? null,
      ownerId: owner?.id ?? null,
      name,
      layout,
    };
    const end = sql`ON CONFLICT ("publicId") DO NOTHING`;
    await insertRows(tx.query, "views", [row], end);
    report.add("view", "created");
  });
