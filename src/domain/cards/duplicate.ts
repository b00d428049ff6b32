import { z } from "zod";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { findAccessibleList } from "../../kernel/access/accessible-list.ts";
import {
  completeCopies,
  copyFiles,
  discardCopies,
  reserveCopies,
  type AttachmentCopies,
} from "../attachments/copy.ts";
import { storeReserved } from "../attachments/store.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { name, PublicId } from "../../contract/vocabulary/fields.ts";
import { alsoNamed } from "../../contract/vocabulary/other-names.ts";
import { missingPermission } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { readSources } from "./copy-relations.ts";
import { insertDuplicate } from "./insert-duplicate.ts";
import { Card } from "../../contract/resources/cards.ts";
import { cardDetail, newCardDetail } from "./detail.ts";

const Copy = z.strictObject({
  listPublicId: alsoNamed(PublicId.optional(), "targetListPublicId").meta({
    description:
      "Public id of the list that gets the copy. By default the card's own. Also accepted as `targetListPublicId`.",
    examples: ["z7c4n9f3j1y6"],
  }),
  title: name(1, 2000)
    .meta({
      description: "The title of the copy. By default the card's own.",
      examples: ["Write the announcement"],
    })
    .optional(),
  withChecklists: alsoNamed(z.boolean().default(true), "copyChecklists").meta({
    description: "Whether the checklists are copied. Also accepted as `copyChecklists`.",
    examples: [true],
  }),
  withLabels: alsoNamed(z.boolean().default(true), "copyLabels").meta({
    description: "Whether the labels are copied. Also accepted as `copyLabels`.",
    examples: [true],
  }),
  withMembers: alsoNamed(z.boolean().default(false), "copyMembers").meta({
    description: "Whether the assignments are copied. Also accepted as `copyMembers`.",
    examples: [false],
  }),
  withAttachments: alsoNamed(z.boolean().default(false), "copyAttachments").meta({
    description: "Whether the files and links are copied. Also accepted as `copyAttachments`.",
    examples: [false],
  }),
  withComments: alsoNamed(z.boolean().default(false), "copyComments").meta({
    description: "Whether the comments are copied. Also accepted as `copyComments`.",
    examples: [false],
  }),
});

/** Copies a card to the end of a list; the copy gets a new number. */
export const duplicateCard = externalMutation("card.duplicate", Copy, {
  again: (ctx) => cardDetail(ctx.db.query, ctx.card, ctx),
})
  .meta(
    rest("Cards").post(
      "/cards/{cardPublicId}/duplicate",
      "Duplicate a card",
      "Copies a card to the end of its list, or of `listPublicId` in the same workspace. The " +
        "`with…` options select what is copied; `withComments` requires `comment:view`. On " +
        "another board, labels are mapped to those of the same name and colour; missing ones are " +
        "created. Copied texts and files count for the caller's daily limits. Returns 409 if a " +
        "copied assignee cannot see the board, or if there are more than 200,000 rows to copy.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input }) => {
    const { deps, transact, newId: publicId } = ctx;
    const target = input.listPublicId ?? ctx.list.publicId;
    const findTarget = async (
      tx: UnitOfWork,
      caller: Pick<typeof ctx, "caller" | "membership">,
    ) => {
      if (input.withComments && !caller.membership.may.has("comment:view")) {
        throw missingPermission("comment:view");
      }
      return findAccessibleList(tx.query, target, { ...ctx, ...caller });
    };
    const reserve = async (tx: UnitOfWork) => {
      await findTarget(tx, ctx);
      // Refuses before files are copied; the transaction that copies the rows counts them.
      await readSources(tx, ctx.card, input);
      await tx.copied.refund();
      return reserveCopies(tx, ctx.card, deps.config.ATTACHMENTS_QUOTA);
    };
    const complete = async (tx: UnitOfWork, copies: AttachmentCopies) => {
      // The caller's rights may have changed while files were copied.
      const { caller, membership } = await ctx.lockTarget(tx);
      const list = await findTarget(tx, { caller, membership });
      const source = await tx.prisma.card.findUniqueOrThrow({ where: { id: ctx.card.id } });
      const card = await insertDuplicate(tx, source, { ...ctx, list }, { ...input, publicId });
      await completeCopies(tx, copies, card);
      const { board } = list;
      tx.emit("card.created", { card, list, board });
      return newCardDetail(tx.query, card, { ...ctx, list, board });
    };
    return storeReserved({
      reserve: async () => (input.withAttachments ? await transact(reserve) : []),
      store: (copies) => copyFiles(deps, copies),
      complete: (copies) => transact((tx) => complete(tx, copies)),
      discard: (copies) => discardCopies(deps, copies, ctx.caller),
    });
  });
