import { z } from "zod";
import { GivenChecklistName } from "../../contract/fields/shared.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changesBetween, present } from "../../kernel/events/changes.ts";
import { Index } from "../../contract/vocabulary/fields.ts";
import { updateRow } from "../../platform/db/write.ts";
import { rest } from "../../kernel/request/rest.ts";
import { moveRow } from "../../kernel/positions.ts";
import { placementOf } from "../placement.ts";
import { checklistDetail } from "./detail.ts";
import { ChecklistDetail } from "../../contract/resources/checklists.ts";
import { showChecklist } from "../shown/checklists.ts";

const Update = z.strictObject({ name: GivenChecklistName.optional(), index: Index.optional() });

/** Changes the name of a checklist, and moves it on its card. */
export const updateChecklist = mutation("checklist.update", Update)
  .meta(
    rest("Cards").put(
      "/checklists/{checklistPublicId}",
      "Update or move a checklist",
      "Changes the name of a checklist, or moves it to `index` among the checklists of its card.",
    ),
  )
  .output(ChecklistDetail)
  .mutation(async ({ ctx, input }) => {
    const { checklist, card, list, board, tx } = ctx;
    const move = await moveRow(tx, "checklist", checklist, card.id, placementOf(input));
    const fields = present({ name: input.name });
    const before = showChecklist(checklist);
    const changes = {
      ...changesBetween(before, showChecklist({ ...checklist, ...fields })),
      ...(move && { index: { from: move.from, to: move.to } }),
    };
    if (Object.keys(changes).length === 0) return checklistDetail(tx.query, checklist, card);
    const row = updateRow(tx, "checklists", checklist, { ...fields, updatedAt: tx.now });
    const to = move && { to: { index: move.to } };
    tx.emit(
      "checklist.updated",
      { checklist: showChecklist(row), card, list, board, ...to },
      changes,
    );
    return checklistDetail(tx.query, row, card);
  });
