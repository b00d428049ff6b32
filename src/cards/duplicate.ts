import { z } from "zod";
import { mayReach } from "../access/may.ts";
import { permit } from "../access/permit.ts";
import { reachList } from "../access/reach.ts";
import { copyFiles, dropFiles } from "../attachments/copy.ts";
import { checkQuota } from "../attachments/room.ts";
import { keyFor } from "../db/order.ts";
import { publicId } from "../db/public-id.ts";
import { checkRoom, rooms } from "../db/room.ts";
import { notFound } from "../errors.ts";
import { name, PublicId } from "../fields.ts";
import { rest } from "../http/rest.ts";
import { copyComments, copyMarks } from "./copy.ts";
import { takeNumbers } from "./number.ts";
import { relabel } from "./relabel.ts";
import { Card, viewCard } from "./view.ts";
import { wholeCard } from "./whole.ts";

const Copy = z.strictObject({
  targetListPublicId: PublicId.optional(),
  title: name(1, 2000).optional(),
  withChecklists: z.boolean().default(true),
  withLabels: z.boolean().default(true),
  withMembers: z.boolean().default(false),
  withAttachments: z.boolean().default(false),
  withComments: z.boolean().default(false),
});

/** Makes a card like another one, with a number of its own, at the end of a list. */
export const duplicateCard = mayReach("card.duplicate", Copy)
  .meta(
    rest("Cards").post(
      "/cards/{cardPublicId}/duplicate",
      "Duplicate a card",
      "At the end of the card's own list, or of `targetListPublicId` in the same workspace. What hangs on it comes along as the switches say; on another board it gets that board's labels of the same name and colour.",
      { fails: ["NOT_FOUND"] },
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input }) => {
    const { workspace, caller, deps } = ctx;
    const files = input.withAttachments ? await copyFiles(ctx) : [];
    const copy = ctx.transact(async (work) => {
      const target = input.targetListPublicId ?? ctx.list.publicId;
      const list = await reachList(work.query, target, ctx);
      const again = { cardPublicId: ctx.card.publicId };
      await permit(work.query, ctx, {
        name: "card.duplicate",
        input: again,
        writes: true,
        lock: true,
      });
      const bytes = files.reduce((sum, { size }) => sum + Number(size ?? 0), 0);
      if (bytes > 0) await checkQuota(work, workspace.id, deps.config.ATTACHMENTS_QUOTA, bytes);
      const source = await work.tx.card.findUniqueOrThrow({ where: { id: ctx.card.id } });
      if ((await work.lock("lists", [list.id])).length === 0) throw notFound("list");
      // `relabel` needs the board, which comes before the workspace that gives the number.
      if (list.board.id !== source.boardId) await work.lock("boards", [list.board.id]);
      if (workspace.lastCardNumber >= rooms.cards.most)
        await checkRoom(work.query, "cards", list.board.id);
      const card = await work.tx.card.create({
        data: {
          publicId: publicId(),
          workspaceId: workspace.id,
          boardId: list.board.id,
          listId: list.id,
          title: input.title ?? source.title,
          description: source.description,
          startDate: source.startDate,
          dueDate: source.dueDate,
          position: await keyFor(work.query, "card", list.id, {}),
          number: await takeNumbers(work.query, workspace.id, 1),
          createdById: caller.userId,
          createdAt: work.now,
          updatedAt: work.now,
        },
      });
      await copyMarks(work, source.id, card, input);
      if (input.withComments) await copyComments(work, source.id, card);
      if (input.withLabels && card.boardId !== source.boardId) {
        await relabel({ caller, work }, [card.id], list.board);
      }
      await work.tx.attachment.createMany({
        data: files.map((file) => ({
          ...file,
          cardId: card.id,
          createdAt: work.now,
          updatedAt: work.now,
        })),
      });
      const { board } = list;
      work.emit("card.created", { card: viewCard(card, workspace.cardPrefix), list, board });
      return wholeCard(work.query, card, { workspace, list, board, deps });
    });
    return copy.catch(async (error: unknown) => {
      await dropFiles(ctx, files);
      throw error;
    });
  });
