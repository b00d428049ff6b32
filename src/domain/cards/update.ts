import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changesBetween, timeOfFlag, present } from "../../kernel/events/changes.ts";
import { setOf, updateRow } from "../../platform/db/write.ts";
import { name, plannedDate, PublicId, text } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { divideChanges } from "../divide-changes.ts";
import { cardPlacement, singlePlacement } from "../placement.ts";
import { changeRelations } from "./change-relations.ts";
import { moveCard } from "./move.ts";
import { remapLabels } from "./remap-labels.ts";
import { dateOf, singleFieldEvents } from "./single-field-events.ts";
import { consistentSets, relationFields } from "./set-change.ts";
import { CardRef } from "../../contract/resources/cards.ts";
import { viewCard } from "../views/cards.ts";

const Update = z
  .strictObject({
    title: name(1, 2000).optional(),
    description: text(0, 100_000).nullable().optional(),
    dueDate: plannedDate("When it is due"),
    startDate: plannedDate("When work starts"),
    isComplete: z.boolean().optional(),
    isArchived: z.boolean().optional(),
    listPublicId: PublicId.optional(),
    ...cardPlacement,
    ...relationFields,
  })
  .refine(...singlePlacement("Card"))
  .refine(...consistentSets);

/** Changes the given fields of a card, and moves it; a move writes one row. */
export const updateCard = mutation("card.update", Update)
  .meta(
    rest("Cards").put(
      "/cards/{cardPublicId}",
      "Change or move a card",
      "Changes the given fields; `null` clears a description or a date. `index`, " +
        "`beforeCardPublicId` or `afterCardPublicId` (set at most one) moves the card within its " +
        "list, or within the list `listPublicId`. That list may be on another board of the " +
        "workspace that the caller can see. This needs card:edit, also from the creator. It is " +
        "409 when an assigned member cannot see that board. Labels and members are given " +
        "either as a whole set or by what to add and to remove. They need card:edit, also from " +
        "the creator. Labels must belong to the card's board after the change.",
    ),
  )
  .output(CardRef)
  .mutation(async ({ ctx, input }) => {
    const { card, workspace, tx } = ctx;
    const show = (row: typeof card) => viewCard(row, workspace.cardPrefix);
    const fields = present({
      title: input.title,
      description: input.description,
      dueDate: dateOf(input.dueDate),
      startDate: dateOf(input.startDate),
      completedAt: timeOfFlag(input.isComplete, card.completedAt, tx.now),
      archivedAt: timeOfFlag(input.isArchived, card.archivedAt, tx.now),
    });
    const changes = changesBetween(show(card), show({ ...card, ...fields }));
    const set = { ...fields, updatedAt: tx.now };
    const move = await moveCard(ctx, input, setOf(set));
    const { list, board } = move ?? ctx;
    if (Object.keys(changes).length === 0 && move === null) {
      await changeRelations(ctx, { card, list, board }, input);
      return show(card);
    }
    const after = move?.card ?? updateRow(tx, "cards", card, set);
    const data = { card: show(after), list, board };
    const { others, events } = divideChanges(changes, singleFieldEvents);
    if (others !== null) tx.emit("card.updated", data, others);
    if (move !== null) {
      tx.emit("card.moved", { ...data, ...move.locations });
      if (board.id !== ctx.board.id) await remapLabels(ctx, [card.id], board);
    }
    for (const [type, change] of events) tx.emit(type, data, change);
    await changeRelations(ctx, data, input);
    return data.card;
  });
