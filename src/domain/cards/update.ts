import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changesBetween, present } from "../../kernel/events/changes.ts";
import { updateRow } from "../../platform/db/write.ts";
import type { Changes } from "../../kernel/events/pending-event.ts";
import { Moment, name, PublicId, text } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { findPlace } from "./move.ts";
import { onePlace, onePlaceFault, placeFields } from "./position.ts";
import { CardRef } from "../../contract/resources/cards.ts";
import { viewCard } from "../views/cards.ts";

const Update = z
  .strictObject({
    title: name(1, 2000).optional(),
    description: text(0, 100_000).nullable().optional(),
    dueDate: Moment.nullable().optional(),
    startDate: Moment.nullable().optional(),
    isComplete: z.boolean().optional(),
    isArchived: z.boolean().optional(),
    listPublicId: PublicId.optional(),
    ...placeFields,
  })
  .refine(onePlace, onePlaceFault);

/** Changes the fields of a card that are given, and its place; a move writes this one row. */
export const updateCard = mutation("card.update", Update)
  .meta(
    rest("Cards").put(
      "/cards/{cardPublicId}",
      "Change or move a card",
      "Changes the fields that are given; `null` clears a description or a date. `index`, `beforeCardPublicId` or `afterCardPublicId` (one of them at most) moves the card within its list, or to that place in the list that `listPublicId` names, which may be any list of the workspace.",
    ),
  )
  .output(CardRef)
  .mutation(async ({ ctx, input }) => {
    const { card, workspace, tx } = ctx;
    const show = (row: typeof card) => viewCard(row, workspace.cardPrefix);
    const stamp = (now: boolean | undefined, then: Date | null) =>
      now === undefined ? undefined : now ? (then ?? tx.now) : null;
    const fields = present({
      title: input.title,
      description: input.description,
      dueDate: dateOf(input.dueDate),
      startDate: dateOf(input.startDate),
      completedAt: stamp(input.isComplete, card.completedAt),
      archivedAt: stamp(input.isArchived, card.archivedAt),
    });
    const before = show(card);
    const changes = changesBetween(before, show({ ...card, ...fields }));
    const move = await findPlace(ctx, input);
    if (Object.keys(changes).length === 0 && move === null) return before;

    const after = await updateRow(tx.query, "cards", card.id, {
      ...fields,
      ...move?.to,
      updatedAt: tx.now,
    });
    const { list, board } = move ?? ctx;
    const told = { card: show(after), list, board };
    const { archived, completed, updated } = sorted(changes);
    if (updated !== undefined) tx.emit("card.updated", told, updated);
    if (move !== null) {
      tx.emit("card.moved", { ...told, ...(await move.spots()) });
      await move.relabel();
    }
    if (archived !== undefined) tx.emit("card.archived", told, archived);
    if (completed !== undefined) tx.emit("card.completed", told, completed);
    return told.card;
  });

const dateOf = (moment: string | null | undefined) =>
  typeof moment === "string" ? new Date(moment) : moment;

/** Archiving and completing have events of their own; undoing them is a change like any other. */
function sorted({ isArchived, isComplete, ...others }: Changes) {
  const archived = isArchived?.to === true ? { isArchived } : undefined;
  const completed = isComplete?.to === true ? { isComplete } : undefined;
  const updated = {
    ...others,
    ...(isArchived?.to === false ? { isArchived } : {}),
    ...(isComplete?.to === false ? { isComplete } : {}),
  };
  return { archived, completed, updated: Object.keys(updated).length > 0 ? updated : undefined };
}
