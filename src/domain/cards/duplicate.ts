import { z } from "zod";
import { copiedShape, selectableIn } from "../../contract/fields/part.ts";
import { cardParts } from "../../contract/resources/card-parts.ts";
import { Card } from "../../contract/resources/cards.ts";
import { name, PublicId } from "../../contract/vocabulary/texts.ts";
import { alsoNamed } from "../../contract/vocabulary/other-names.ts";
import { findAccessibleList, type AccessibleList } from "../../kernel/access/accessible-list.ts";
import { maxCopied } from "../../kernel/events/copied-rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { checkCardLimit } from "../../kernel/limits.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { Card as CardRow } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { missingPermission, notFound } from "../../platform/errors.ts";
import { checkAssigneesSee } from "./assignees.ts";
import {
  checkCopied,
  copyParts,
  countCopied,
  rowsOfCards,
  selectCopied,
  type CopiedRow,
  type CopiedTable,
} from "./copy-parts.ts";
import { cardDetail, newCardDetail } from "./detail.ts";
import { insertCard } from "./insert.ts";
import { moveParts } from "../parts/move.ts";

const Copy = z.strictObject({
  listPublicId: alsoNamed(PublicId.optional(), "targetListPublicId").meta({
    description:
      "Public id of the list that gets the copy. By default the card's own. Also accepted as `targetListPublicId`.",
    examples: ["z7c4n9f3j1y6"],
  }),
  title: name(2000)
    .meta({
      description: "The title of the copy. By default the card's own.",
      examples: ["Write the announcement"],
    })
    .optional(),
  ...copiedShape(cardParts),
});

const needed = selectableIn(cardParts);

/** Copies a card to the end of a list; the copy gets a new number. */
export const duplicateCard = mutation("card.duplicate", Copy, {
  onReplay: (ctx) => cardDetail(ctx.tx.query, ctx.card, ctx),
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
    const { tx, workspace, caller, membership, newId: publicId } = ctx;
    const selected: Readonly<Record<string, unknown>> = input;
    for (const { by, needs } of needed)
      if (needs && selected[by] === true && !membership.may.has(needs))
        throw missingPermission(needs);
    const list = await findAccessibleList(tx.query, input.listPublicId ?? ctx.list.publicId, ctx);
    const { board } = list;
    const toOtherBoard = board.id !== ctx.card.boardId;
    await lockList(tx, list, toOtherBoard);
    await checkCardLimit(tx, workspace, board.id);
    const copied = rowsOfCards(input);
    const rows = await readCopied(tx, ctx.card, copied, ctx.deps.config.ATTACHMENTS_QUOTA);
    const owner = { workspaceId: workspace.id, createdById: caller.userId };
    const fields = { publicId, boardId: board.id, listId: list.id, copyOf: ctx.card.id };
    const card = await insertCard(tx, owner, { ...fields, title: input.title });
    const copies = new Map([["cards", new Map([[ctx.card.id, card.id]])]]);
    await copyParts(tx, copied, rows, copies, owner);
    await checkAssigneesSee(tx.query, board.id, [card.id]);
    if (toOtherBoard) await moveParts({ caller, tx }, [card.id], board);
    tx.emit("card.created", { card, list, board });
    return newCardDetail(tx.query, card, { ...ctx, list, board });
  });

/**
 * Locks the list of the copy, and its board for the labels of another one, in the order of locks.
 */
async function lockList(tx: UnitOfWork, { id, board }: AccessibleList, withBoard: boolean) {
  if ((await tx.lock("lists", [id])).length === 0) throw notFound("list");
  if (withBoard) await tx.lock("boards", [board.id]);
}

/** Reads what a copy of a card takes from it, and counts it: 409 or 429 beyond a limit. */
async function readCopied(
  tx: UnitOfWork,
  { id, workspaceId, title, description }: CardRow,
  copied: CopiedTable[],
  quota: number,
): Promise<CopiedRow[]> {
  const isCard = sql`c.id = ${id}`;
  const statements = copied.map((rows) => selectCopied(rows, sql`cards c`, isCard));
  const rows =
    statements.length === 0
      ? []
      : await tx.query<CopiedRow>(sql`SELECT * FROM (${sql.join(statements, sql` UNION ALL `)})
          AS content ORDER BY id LIMIT ${maxCopied + 1}`);
  const cardBytes = { bytes: Buffer.byteLength(title + (description ?? "")) };
  await countCopied(tx, rows, workspaceId, quota, cardBytes);
  checkCopied(tx, rows);
  return rows;
}
