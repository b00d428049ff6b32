import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { positionAt, appendPositions } from "../../kernel/positions.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { checkCount, checkLimit } from "../../kernel/limits.ts";
import { cardName } from "../views/cards.ts";
import { name } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Checklist } from "../../contract/resources/checklists.ts";
import { viewChecklist, viewItem } from "../views/checklists.ts";

const NewChecklist = z.strictObject({
  name: name(1, 255),
  items: z.array(name(1, 500)).max(500).optional(),
});

/** Adds a checklist to a card, with items when they are given. */
export const createChecklist = mutation("checklist.create", NewChecklist)
  .meta(
    rest("Cards").post(
      "/cards/{cardPublicId}/checklists",
      "Add a checklist to a card",
      "Adds a checklist at the end of a card, with items when they are given, in their order.",
    ),
  )
  .output(Checklist)
  .mutation(async ({ ctx: { card, list, board, workspace, caller, tx }, input }) => {
    await checkLimit(tx, "checklists", card.id);
    checkCount(tx.limits, "checklist_items", input.items?.length ?? 0);
    const made = {
      workspaceId: workspace.id,
      createdById: caller.userId,
      createdAt: tx.now,
      updatedAt: tx.now,
    };
    const checklist = await tx.prisma.checklist.create({
      data: {
        ...made,
        publicId: publicId(),
        cardId: card.id,
        name: input.name,
        position: await positionAt(tx.query, "checklist", card.id, {}),
      },
    });
    const { items = [] } = input;
    const keys = await appendPositions(tx.query, "checklistItem", checklist.id, items.length);
    const rows = await tx.prisma.checklistItem.createManyAndReturn({
      data: keys.map((position, place) => ({
        ...made,
        publicId: publicId(),
        checklistId: checklist.id,
        title: items[place] ?? "",
        position,
      })),
    });
    const shown = {
      ...viewChecklist(checklist),
      items: rows
        .toSorted((one, other) => keys.indexOf(one.position) - keys.indexOf(other.position))
        .map(viewItem),
    };
    tx.emit("checklist.created", {
      checklist: shown,
      card: cardName(card, workspace),
      list,
      board,
    });
    return shown;
  });
