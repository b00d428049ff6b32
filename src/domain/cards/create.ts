import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { positionAt } from "../../kernel/positions.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { insertRow } from "../../platform/db/write.ts";
import { checkCardLimit } from "../../kernel/limits.ts";
import { Moment, name, PublicId, text } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { attachRelations } from "./relations.ts";
import { takeNumbers } from "./number.ts";
import { onePlace, onePlaceFault, placeFields, placeOf } from "./position.ts";
import { Card } from "../../contract/resources/cards.ts";
import { viewCard } from "../views/cards.ts";
import { newCard } from "./detail.ts";

const NewCard = z
  .strictObject({
    title: name(1, 2000),
    description: text(0, 100_000).nullable().optional(),
    ...placeFields,
    dueDate: Moment.nullable().optional(),
    startDate: Moment.nullable().optional(),
    labelPublicIds: z.array(PublicId).max(100).optional(),
    memberPublicIds: z.array(PublicId).max(100).optional(),
    checklists: z
      .array(
        z.strictObject({ name: name(1, 255), items: z.array(name(1, 500)).max(500).optional() }),
      )
      .max(50)
      .optional(),
  })
  .refine(onePlace, onePlaceFault);

/** Adds a card to a list, at its end unless told otherwise. */
export const createCard = mutation("card.create", NewCard)
  .meta(
    rest("Cards").post(
      "/cards",
      "Add a card to a list",
      "Adds a card at the end of a list, or where `index`, `beforeCardPublicId` or `afterCardPublicId` (one of them at most) says. On a restricted board only members who can see it can be put on it.",
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input }) => {
    const { workspace, board, list, caller, tx } = ctx;
    await checkCardLimit(tx, workspace, board.id);
    const [position, number] = await Promise.all([
      positionAt(tx.query, "card", list.id, placeOf(input) ?? {}),
      takeNumbers(tx.query, workspace.id, 1),
    ]);
    const card = await insertRow(tx.query, "cards", {
      publicId: publicId(),
      workspaceId: workspace.id,
      boardId: board.id,
      listId: list.id,
      number,
      title: input.title,
      description: input.description ?? null,
      position,
      dueDate: dateOf(input.dueDate),
      startDate: dateOf(input.startDate),
      createdById: caller.userId,
      createdAt: tx.now,
      updatedAt: tx.now,
    });
    await attachRelations(tx, card, board, input);
    tx.emit("card.created", { card: viewCard(card, workspace.cardPrefix), list, board });
    return newCard(tx.query, card, ctx);
  });

const dateOf = (moment: string | null | undefined) =>
  typeof moment === "string" ? new Date(moment) : null;
