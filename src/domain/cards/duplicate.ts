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
  listPublicId: alsoNamed(PublicId.optional(), "targetListPublicId"),
  title: name(1, 2000).optional(),
  withChecklists: alsoNamed(z.boolean().default(true), "copyChecklists"),
  withLabels: alsoNamed(z.boolean().default(true), "copyLabels"),
  withMembers: alsoNamed(z.boolean().default(false), "copyMembers"),
  withAttachments: alsoNamed(z.boolean().default(false), "copyAttachments"),
  withComments: alsoNamed(z.boolean().default(false), "copyComments"),
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
    type Source = Parameters<Parameters<typeof transact>[0]>[1];
    const findTarget = (tx: UnitOfWork, source: Source) => {
      if (input.withComments && !source.membership.may.has("comment:view")) {
        throw missingPermission("comment:view");
      }
      return findAccessibleList(tx.query, target, source);
    };
    const reserve = async (tx: UnitOfWork, source: Source) => {
      await findTarget(tx, source);
      // Refuses before files are copied; the transaction that copies the rows counts them.
      await readSources(tx, source.card, input);
      await tx.copied.refund();
      return reserveCopies(tx, source.card, deps.config.ATTACHMENTS_QUOTA);
    };
    // The caller's rights may have changed while files were copied.
    const complete = async (tx: UnitOfWork, source: Source, copies: AttachmentCopies) => {
      const list = await findTarget(tx, source);
      const { card: original } = source;
      const card = await insertDuplicate(tx, original, { ...source, list }, { ...input, publicId });
      await completeCopies(tx, copies, card);
      const { board } = list;
      tx.emit("card.created", { card, list, board });
      return newCardDetail(tx.query, card, { ...ctx, list, board });
    };
    return storeReserved({
      reserve: async () => (input.withAttachments ? await transact(reserve) : []),
      store: (copies) => copyFiles(deps, copies),
      complete: (copies) => transact((tx, source) => complete(tx, source, copies)),
      discard: (copies) => discardCopies(deps, copies, ctx.caller),
    });
  });
