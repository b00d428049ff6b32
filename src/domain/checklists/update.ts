import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changesBetween, present } from "../../kernel/events/changes.ts";
import { Index, name } from "../../contract/vocabulary/fields.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { updateRow } from "../../platform/db/write.ts";
import { noteState, readCard } from "../cards/event-fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { findMove, targetOf } from "../positions/move.ts";
import { placementOf } from "../positions/placement.ts";
import { checklistDetail } from "./detail.ts";
import { ChecklistDetail } from "../../contract/resources/checklists.ts";
import { viewChecklist } from "../views/checklists.ts";

const Update = z.strictObject({ name: name(1, 255).optional(), index: Index.optional() });

/** Reads the card of a checklist; both are locked. */
export const readCardOf = (query: Query, { checklistPublicId }: { checklistPublicId: string }) =>
  readCard(
    query,
    sql`c.id = (SELECT "cardId" FROM checklists WHERE "publicId" = ${checklistPublicId})`,
  );

/** Changes the name of a checklist, and moves it on its card. */
export const updateChecklist = mutation("checklist.update", Update, readCardOf)
  .meta(
    rest("Cards").put(
      "/checklists/{checklistPublicId}",
      "Change or move a checklist",
      "Changes the name when it is given. `index` moves the checklist among the checklists of " +
        "its card.",
    ),
  )
  .output(ChecklistDetail)
  .mutation(async ({ ctx, input }) => {
    const { checklist, card, list, board, tx } = ctx;
    const move = await findMove(tx, "checklist", card.id, checklist, placementOf(input));
    const fields = present({ name: input.name });
    const before = viewChecklist(checklist);
    const changes = {
      ...changesBetween(before, viewChecklist({ ...checklist, ...fields })),
      ...(move && { index: { from: move.from, to: move.to } }),
    };
    if (Object.keys(changes).length === 0) return checklistDetail(tx.query, checklist, card);
    const position = move?.position ?? checklist.position;
    const written = { ...fields, position, updatedAt: tx.now };
    const early = await ctx.early;
    const row = updateRow(tx, "checklists", checklist, written);
    noteState(tx, early.card, ctx, early.eventFields);
    const data = { checklist: viewChecklist(row), card, list, board, ...targetOf(move) };
    tx.emit("checklist.updated", data, changes);
    return checklistDetail(tx.query, row, card);
  });
