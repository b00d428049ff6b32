import { z } from "zod";
import { ChecklistNameInput } from "../../contract/fields/shared.ts";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changesBetween, present } from "../../kernel/events/changes.ts";
import { Index } from "../../contract/vocabulary/texts.ts";
import { updateRow } from "../../platform/db/write.ts";
import { sql } from "../../platform/db/sql.ts";
import { rest } from "../../kernel/request/rest.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { moveRow } from "../../kernel/positions.ts";
import { checkAssigneesOfChecklist } from "../cards/assignees.ts";
import { versionsOf } from "../divide-changes.ts";
import { placementOf } from "../placement.ts";
import { checklistDetail } from "./detail.ts";
import { ChecklistDetail } from "../../contract/resources/checklists.ts";
import { showChecklist } from "../presenters/checklists.ts";
import { lockBothCards } from "../cards/lock-both-cards.ts";

const Update = z.strictObject({
  name: ChecklistNameInput.optional(),
  index: Index.optional(),
  cardPublicId: inputId(
    "card",
    "Public id of the card of the workspace that the checklist moves to.",
  ).optional(),
});

/** Changes the name of a checklist, and moves it on its card or to another one. */
export const updateChecklist = mutation("checklist.update", Update, {
  beforeLock: async (ctx, { cardPublicId }) =>
    cardPublicId === undefined ? null : lockBothCards(ctx, cardPublicId),
})
  .meta(
    rest("Cards").put(
      "/checklists/{checklistPublicId}",
      "Update or move a checklist",
      "Changes the name of a checklist, or moves it to `index` among the checklists of its card, " +
        "or of `cardPublicId`, another card of the workspace. Returns 409 if that card has too " +
        "many checklists, or if an assigned member cannot see its board.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(ChecklistDetail)
  .mutation(async ({ ctx, input }) => {
    const { checklist, tx } = ctx;
    const target = ctx.before ?? ctx;
    const isElsewhere = target.card.id !== ctx.card.id;
    if (isElsewhere) {
      await checkLimit(tx, "checklists", target.card.id);
      await checkAssigneesOfChecklist(tx.query, target.board.id, checklist.id);
    }
    const move = await moveRow(
      tx,
      "checklist",
      checklist,
      target.card.id,
      placementOf(input) ?? (isElsewhere ? {} : undefined),
      sql`, "cardId" = ${target.card.id}`,
    );
    const fields = present({ name: input.name });
    const before = showChecklist(checklist);
    const changes = {
      ...changesBetween(before, showChecklist({ ...checklist, ...fields })),
      ...(move && !isElsewhere && { index: { from: move.from, to: move.to } }),
    };
    const hasChanged = Object.keys(changes).length > 0;
    const count = (isElsewhere ? 2 : 0) + Number(hasChanged);
    if (count === 0) return checklistDetail(tx.query, checklist, target.card);
    const row = updateRow(tx, "checklists", checklist, { ...fields, updatedAt: tx.now }, count);
    const next = versionsOf(showChecklist(row), count);
    if (move !== null && isElsewhere) {
      const spots = {
        from: { ...spotOn(ctx), index: move.from },
        to: { ...spotOn(target), index: move.to },
      };
      const { items } = await checklistDetail(tx.query, row, target.card);
      for (const { card, list, board } of [ctx, target])
        tx.emit("checklist.moved", {
          checklist: { ...next(), items },
          card,
          list,
          board,
          ...spots,
        });
    }
    const to = move && !isElsewhere && { to: { index: move.to } };
    const { card, list, board } = target;
    if (hasChanged)
      tx.emit("checklist.updated", { checklist: next(), card, list, board, ...to }, changes);
    return checklistDetail(tx.query, row, card);
  });

type Parents = { card: { publicId: string }; board: { publicId: string } };
const spotOn = ({ card, board }: Parents) => ({
  cardPublicId: card.publicId,
  boardPublicId: board.publicId,
});
