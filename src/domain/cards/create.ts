import { z } from "zod";
import { GivenChecklistName, GivenItemTitles } from "../../contract/fields/shared.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { checkCardLimit } from "../../kernel/limits.ts";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { cardFields } from "../../contract/fields/card.ts";
import { givenToCreate } from "../../contract/fields/field.ts";
import { storedIn } from "../fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { attachRelations } from "./relations.ts";
import { insertCard } from "./insert.ts";
import { cardPlacement, placementOf, singlePlacement } from "../placement.ts";
import { Card } from "../../contract/resources/cards.ts";
import { cardDetail, newCardDetail, plainCardDetail } from "./detail.ts";

const NewChecklist = z.strictObject({
  name: GivenChecklistName,
  items: GivenItemTitles.optional(),
});
const NewCard = z
  .strictObject({
    ...givenToCreate(cardFields),
    ...cardPlacement,
    labelPublicIds: z
      .array(PublicId)
      .max(100)
      .meta({ description: "Public ids of labels of the board.", examples: [["l4b8e2l6x3a9"]] })
      .optional(),
    memberPublicIds: z
      .array(PublicId)
      .max(100)
      .meta({ description: "Public ids of members to assign." })
      .optional(),
    checklists: z
      .array(NewChecklist)
      .max(50)
      .meta({ description: "Checklists with the titles of their items, in order." })
      .optional(),
  })
  .refine(...singlePlacement("Card"));

const stored = storedIn(cardFields, "create");

/** Adds a card to a list, at the end unless the input has a placement. */
export const createCard = mutation("card.create", NewCard, {
  again: (ctx) => cardDetail(ctx.tx.query, ctx.card, ctx),
})
  .meta(
    rest("Cards").post(
      "/cards",
      "Add a card to a list",
      "Adds a card at the end of a list, or at `index`, `beforeCardPublicId` or " +
        "`afterCardPublicId` (set at most one). Labels must belong to the board, and members to " +
        "the workspace. Returns 409 if a member cannot see the board because it is restricted.",
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
        ...stored(input, {}, tx.now),
      },
      placementOf(input),
    );
    const hasRelations = await attachRelations(tx, card, input);
    tx.emit("card.created", { card, list, board });
    return hasRelations ? newCardDetail(tx.query, card, ctx) : plainCardDetail(card, ctx);
  });
