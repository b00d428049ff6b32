import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changesBetween, timeOfFlag, present } from "../../kernel/events/changes.ts";
import type { Query } from "../../platform/db/query.ts";
import { updateRow } from "../../platform/db/write.ts";
import { Moment, name, PublicId, text } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { divideChanges } from "../divide-changes.ts";
import { cardPlacement, singlePlacement } from "../positions/placement.ts";
import { changeRelations, changesRelations } from "./change-relations.ts";
import { cardWithId, noteState, readEventFields } from "./event-fields.ts";
import { planMove, readMoveTarget } from "./move.ts";
import { prefetchChanges, type EarlyReads } from "./prefetch-changes.ts";
import { dateOf, singleFieldEvents } from "./single-field-events.ts";
import { consistentSets, relationFields } from "./set-change.ts";
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
    ...cardPlacement,
    ...relationFields,
  })
  .refine(...singlePlacement("Card"))
  .refine(...consistentSets);

type Input = z.output<typeof Update> & { cardPublicId: string };

/** Reads, behind the lock of the card, its position and the target of its move. */
const readEarly = async (query: Query, input: Input): Promise<EarlyReads> => {
  const [target, eventFields] = await Promise.all([
    readMoveTarget(query, input),
    readEventFields(query, cardWithId(input.cardPublicId)),
  ]);
  return { target, eventFields };
};

/** Changes the given fields of a card, and moves it; a move writes one row. */
export const updateCard = mutation("card.update", Update, readEarly, prefetchChanges)
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
    const shown = show(card);
    const isMoveAlone = Object.keys(fields).length === 0;
    const changes = changesBetween(shown, isMoveAlone ? shown : show({ ...card, ...fields }));
    const { target, eventFields, changed } = await ctx.early;
    const move = await planMove(ctx, input, target, eventFields.before);
    const { list, board } = move ?? ctx;
    if (Object.keys(changes).length === 0 && move === null) {
      await changeRelations(ctx, { card, list, board }, input);
      return shown;
    }
    const after = updateRow(tx, "cards", card, { ...fields, ...move?.columns, updatedAt: tx.now });
    changed?.(card, after);
    const data = { card: show(after), list, board };
    const { others, events } = divideChanges(changes, singleFieldEvents);
    if (others !== null) tx.emit("card.updated", data, others);
    if (move !== null) {
      tx.emit("card.moved", { ...data, ...move.locations });
      await move.remapLabels?.();
    }
    if (!changesRelations(input) && move?.remapLabels === undefined) {
      const { index: before, listPublicId } = move?.locations.to ?? {
        index: eventFields.before,
        listPublicId: eventFields.listPublicId,
      };
      noteState(tx, after, ctx, { ...eventFields, before, listPublicId });
    }
    for (const [type, change] of events) tx.emit(type, data, change);
    await changeRelations(ctx, data, input);
    return data.card;
  });
