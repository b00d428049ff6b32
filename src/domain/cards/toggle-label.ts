import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { notFound } from "../../platform/errors.ts";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { viewCard } from "../views/cards.ts";

const Toggle = z.strictObject({ labelPublicId: PublicId });
const Toggled = z.object({ newLabel: z.boolean() }).meta({ id: "ToggledLabel" });

/** Puts a label of the board on a card, or takes it off when it is there; `newLabel` says which. */
export const toggleCardLabel = mutation("card.toggleLabel", Toggle)
  .meta(
    rest("Cards").put(
      "/cards/{cardPublicId}/labels/{labelPublicId}",
      "Put a label on a card, or take it off",
      "Puts a label of the board on the card, or takes it off when it is there; `newLabel` says which of the two happened.",
    ),
  )
  .output(Toggled)
  .mutation(async ({ ctx: { card, list, board, workspace, tx }, input }) => {
    const label = await tx.prisma.label.findFirst({
      where: { publicId: input.labelPublicId, boardId: card.boardId, deletedAt: null },
    });
    if (label === null) throw notFound("label");
    const told = { card: viewCard(card, workspace.cardPrefix), list, board, label };
    const pair = { cardId: card.id, labelId: label.id };
    const { count } = await tx.prisma.cardLabel.deleteMany({ where: pair });
    if (count > 0) {
      tx.emit("card.label_removed", told);
      return { newLabel: false };
    }
    await tx.prisma.cardLabel.create({
      data: { ...pair, workspaceId: workspace.id, createdAt: tx.now },
    });
    tx.emit("card.label_added", told);
    return { newLabel: true };
  });
