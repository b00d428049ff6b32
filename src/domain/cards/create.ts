import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { checkCardLimit } from "../../kernel/limits.ts";
import { name, plannedDate, PublicId, text } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { attachRelations } from "./relations.ts";
import { insertCard } from "./insert.ts";
import { cardPlacement, placementOf, singlePlacement } from "../placement.ts";
import { Card } from "../../contract/resources/cards.ts";
import { cardDetail, newCardDetail } from "./detail.ts";

const NewChecklist = z.strictObject({
  name: name(1, 255),
  items: z.array(name(1, 500)).max(500).optional(),
});
const NewCard = z
  .strictObject({
    title: name(1, 2000),
    description: text(0, 100_000).nullable().optional(),
    ...cardPlacement,
    dueDate: plannedDate("When it is due"),
    startDate: plannedDate("When work starts"),
    labelPublicIds: z.array(PublicId).max(100).optional(),
    memberPublicIds: z.array(PublicId).max(100).optional(),
    checklists: z.array(NewChecklist).max(50).optional(),
  })
  .refine(...singlePlacement("Card"));

/** Adds a card to a list, at the end unless the input has a placement. */
export const createCard = mutation("card.create", NewCard, {
  again: (ctx) => cardDetail(ctx.tx.query, ctx.card, ctx),
})
  .meta(
    rest("Cards").post(
      "/cards",
      "Add a card to a list",
      "Adds a card at the end of a list, or at `index`, `beforeCardPublicId` or " +
        "`afterCardPublicId`: set at most one. Labels must belong to the board, members to the " +
        "workspace. On a restricted board, members must be able to see the board, else 409.",
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input }) => {
    const { workspace, board, list, caller, newId, tx } = ctx;
    await checkCardLimit(tx, workspace, board.id);
    const card = await insertCard(
      tx,
      { workspaceId: workspace.id, createdById: caller.userId },
      {
        publicId: newId,
        boardId: board.id,
        listId: list.id,
        title: input.title,
        description: input.description,
        dueDate: dateOf(input.dueDate),
        startDate: dateOf(input.startDate),
      },
      placementOf(input),
    );
    await attachRelations(tx, card, input);
    tx.emit("card.created", { card, list, board });
    return newCardDetail(tx.query, card, ctx);
  });

const dateOf = (moment: string | null | undefined) =>
  typeof moment === "string" ? new Date(moment) : null;
