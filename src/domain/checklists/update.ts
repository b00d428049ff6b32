import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { cardName } from "../views/cards.ts";
import { changesBetween, present } from "../../kernel/events/changes.ts";
import { positionAt } from "../../kernel/positions.ts";
import { Index, name } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { itemsOf } from "./items.ts";
import { indexIn } from "./position.ts";
import { Checklist } from "../../contract/resources/checklists.ts";
import { viewChecklist } from "../views/checklists.ts";

const Update = z.strictObject({ name: name(1, 255).optional(), index: Index.optional() });

/** Changes a checklist's name and its place on the card. */
export const updateChecklist = mutation("checklist.update", Update)
  .meta(
    rest("Cards").put(
      "/checklists/{checklistPublicId}",
      "Change or move a checklist",
      "Changes what is given: the name, and the place among the card's checklists.",
    ),
  )
  .output(Checklist)
  .mutation(async ({ ctx: { checklist, card, list, board, workspace, tx }, input }) => {
    const { index } = input;
    if (index !== undefined) await tx.lock("cards", [card.id]);
    const placeOf = (key: string) => indexIn(tx.query, "checklist", card.id, key);
    const from = index === undefined ? 0 : await placeOf(checklist.position);
    const position =
      index === undefined
        ? checklist.position
        : await positionAt(tx.query, "checklist", card.id, { index }, checklist);
    const given = present({ name: input.name });
    const changes = changesBetween(
      viewChecklist(checklist),
      viewChecklist({ ...checklist, ...given }),
    );
    const moved = position !== checklist.position;
    const items = await itemsOf(tx.query, checklist.id);
    if (!moved && Object.keys(changes).length === 0) return { ...viewChecklist(checklist), items };
    const after = await tx.prisma.checklist.update({
      where: { id: checklist.id },
      data: { ...given, position, version: { increment: 1 }, updatedAt: tx.now },
    });
    const told = { checklist: viewChecklist(after), card: cardName(card, workspace), list, board };
    tx.emit(
      "checklist.updated",
      told,
      moved ? { ...changes, index: { from, to: await placeOf(position) } } : changes,
    );
    return { ...told.checklist, items };
  });
