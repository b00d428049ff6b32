import { z } from "zod";
import { FieldValuesInput } from "../../contract/resources/custom-fields.ts";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changesBetween } from "../../kernel/events/changes.ts";
import { setOf, updateRow } from "../../platform/db/write.ts";
import { rest } from "../../kernel/request/rest.ts";
import { indexTexts, textOfCard } from "../search/index-texts.ts";
import { divideChanges } from "../divide-changes.ts";
import { cardPlacement, singlePlacement } from "../placement.ts";
import { moveCard } from "./move.ts";
import { moveParts } from "../parts/move.ts";
import { cardFields } from "../../contract/fields/card.ts";
import { updateShape, ownEvents } from "../../contract/fields/field.ts";
import { storedIn } from "../declared-fields.ts";
import { setFieldValues } from "../custom-fields/values.ts";
import { consistentSets, setFields, labelChange, memberChange } from "./set-change.ts";
import { CardRef } from "../../contract/resources/cards.ts";
import { showCard } from "../presenters/cards.ts";
import type { TargetResources } from "../../kernel/access/resources.ts";
import {
  changeRelations,
  changedRelations,
  changesRelations,
  lockRelated,
  type RelatedCards,
} from "../related/change.ts";
import type { Membership } from "../../kernel/access/authorize.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { missingPermission } from "../../platform/errors.ts";
import { changeCardLabels, type CardParents } from "./change-labels.ts";
import { changeCardMembers } from "./change-members.ts";

const Update = z
  .strictObject({
    ...updateShape(cardFields, "update"),
    listPublicId: inputId("list").optional(),
    ...cardPlacement,
    ...setFields,
    ...changedRelations,
    fields: FieldValuesInput,
  })
  .refine(...singlePlacement("Card"))
  .refine(...consistentSets);

const toColumns = storedIn(cardFields, "update");

/** Changes the given fields of a card, and moves it; a move writes one row. */
export const updateCard = mutation("card.update", Update, {
  locksBefore: changesRelations,
  beforeLock: (ctx, input) => lockRelated(ctx, [ctx.card.id], input),
})
  .meta(
    rest("Cards").put(
      "/cards/{cardPublicId}",
      "Update or move a card",
      "Changes the given fields of a card, or moves it. `null` clears the description or a date. " +
        "To move it, set one of `index`, `beforeCardPublicId` and `afterCardPublicId`, within " +
        "its list or within `listPublicId`. That list may be on another board of the workspace " +
        "that the caller can see; values of custom fields move to its fields of the same name and " +
        "type, and the event lists the values that are lost. Give labels and members either as a " +
        "whole set, or as what to add and remove. Labels must belong to the card's board after the change. Changing " +
        "labels or members, and moving to another board, require `card:edit`; being the creator " +
        "is not enough. Returns 409 if an assigned member cannot see the board that the card " +
        "moves to, and for `addRelations` as `relation.create` does.",
    ),
  )
  .output(CardRef)
  .mutation(async ({ ctx, input }) => {
    const { card, workspace, tx } = ctx;
    const show = (row: typeof card) => showCard(row, workspace.cardPrefix);
    const set = { ...toColumns(input, card, tx.now), updatedAt: tx.now };
    const move = await moveCard(ctx, input, setOf(set));
    const { list, board } = move ?? ctx;
    const movedParts =
      board.id === ctx.board.id ? undefined : await moveParts(ctx, [card.id], board);
    const values = await setFieldValues(tx, board.id, [card], input.fields);
    const changes = {
      ...changesBetween(show(card), show({ ...card, ...set })),
      ...values.get(card.id),
    };
    if (Object.keys(changes).length === 0 && move === null) {
      await changeSets(ctx, { card, list, board }, input);
      return show(card);
    }
    const after = move?.card ?? updateRow(tx, "cards", card, set);
    if (after.title !== card.title || after.description !== card.description)
      indexTexts(tx.query, card, [{ ...textOfCard(after), oldName: card.title }]);
    const data = { card: show(after), list, board };
    const { others, events } = divideChanges(changes, ownEvents(cardFields));
    if (others !== null) tx.emit("card.updated", data, others);
    if (move !== null)
      tx.emit("card.moved", { ...data, ...move.locations, ...movedParts?.get(card.id) });
    for (const [type, change] of events) tx.emit(type, data, change);
    await changeSets(ctx, data, input);
    return data.card;
  });

type Context = Parameters<typeof changeRelations>[0] & {
  card: TargetResources<"card">["card"];
  membership: Membership;
  before: RelatedCards;
  tx: UnitOfWork<
    "card.label_added" | "card.label_removed" | "card.member_added" | "card.member_removed"
  >;
};

/** Changes the labels, members and relations of a locked card as an input asks for it. */
async function changeSets(
  ctx: Context,
  parents: CardParents,
  input: Parameters<typeof labelChange>[0] & Parameters<typeof changeRelations>[3],
): Promise<void> {
  const { card, membership, tx } = ctx;
  const { list, board } = parents;
  if (changesRelations(input))
    await changeRelations(ctx, [{ ...ctx, list, board }], ctx.before, input);
  const [labels, members] = [labelChange(input), memberChange(input)];
  if (labels === null && members === null) return;
  // A creator without card:edit changes the fields of the card only.
  if (!membership.may.has("card:edit")) throw missingPermission("card:edit");
  if (labels !== null) await changeCardLabels(tx, card, parents, labels);
  if (members !== null) {
    const field = members.set === undefined ? "addMemberPublicIds" : "memberPublicIds";
    await changeCardMembers(tx, card, parents, members, [field]);
  }
}
