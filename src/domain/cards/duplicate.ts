import { z } from "zod";
import { externalMutation } from "../../kernel/procedures/external.ts";
import { authorize } from "../../kernel/access/authorize.ts";
import { findAccessibleList } from "../../kernel/access/accessible-list.ts";
import { copyFiles, expectCopies, forgetCopies, hangCopies } from "../attachments/copy.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { name, PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { insertCopy } from "./insert-copy.ts";
import { Card } from "../../contract/resources/cards.ts";
import { viewCard } from "../views/cards.ts";
import { newCard } from "./detail.ts";

const Copy = z.strictObject({
  listPublicId: PublicId.optional(),
  title: name(1, 2000).optional(),
  withChecklists: z.boolean().default(true),
  withLabels: z.boolean().default(true),
  withMembers: z.boolean().default(false),
  withAttachments: z.boolean().default(false),
  withComments: z.boolean().default(false),
});

/** Makes a card like another one, with a number of its own, at the end of a list. */
export const duplicateCard = externalMutation("card.duplicate", Copy)
  .meta(
    rest("Cards").post(
      "/cards/{cardPublicId}/duplicate",
      "Duplicate a card",
      "At the end of the card's own list, or of `listPublicId` in the same workspace. What hangs on it comes along as the switches say; on another board it gets that board's labels of the same name and colour.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input }) => {
    const { workspace, deps, transact } = ctx;
    const quota = deps.config.ATTACHMENTS_QUOTA;
    const target = input.listPublicId ?? ctx.list.publicId;
    const findTarget = (tx: UnitOfWork) => findAccessibleList(tx.query, target, ctx);
    const copies = !input.withAttachments
      ? []
      : await transact(async (tx) => {
          await findTarget(tx);
          return expectCopies(tx, ctx.card, quota);
        });
    try {
      await copyFiles(deps, copies);
      return await transact(async (tx) => {
        const list = await findTarget(tx);
        await authorize(tx.query, ctx, {
          name: "card.duplicate",
          input: { cardPublicId: ctx.card.publicId },
          writes: true,
          lock: true,
        });
        const source = await tx.prisma.card.findUniqueOrThrow({ where: { id: ctx.card.id } });
        const card = await insertCopy(tx, source, { ...ctx, list }, input);
        if (copies.length > 0) await hangCopies(tx, copies, card);
        const { board } = list;
        tx.emit("card.created", { card: viewCard(card, workspace.cardPrefix), list, board });
        return newCard(tx.query, card, { ...ctx, list, board });
      });
    } catch (error) {
      await forgetCopies(deps, copies);
      throw error;
    }
  });
