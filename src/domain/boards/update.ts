import { z } from "zod";
import { boardFields } from "../../contract/fields/board.ts";
import { updateShape, ownEvents } from "../../contract/fields/field.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changesBetween } from "../../kernel/events/changes.ts";
import type { Board } from "../../platform/db/rows.ts";
import { alsoNamed } from "../../contract/vocabulary/other-names.ts";
import { rest } from "../../kernel/request/rest.ts";
import { storedIn } from "../declared-fields.ts";
import { indexTexts, textOfBoard } from "../search/index-texts.ts";
import { divideChanges, versionsOf } from "../divide-changes.ts";
import { hiddenSlugsFor } from "../slugs.ts";
import { addToBoard } from "./membership.ts";
import { setFavourite } from "./favourite.ts";
import { boardSummary } from "./summary.ts";
import { checkPublishing } from "./publish.ts";
import { checkSlug } from "./slug.ts";
import { BoardSummary } from "../../contract/resources/boards.ts";
import { showBoard } from "../presenters/boards.ts";
import { withAccessChanges } from "../access-changes.ts";

const Update = z.strictObject({
  ...updateShape(boardFields, "update"),
  isFavourite: alsoNamed(z.boolean().optional(), "favorite").meta({
    description: "Whether the board is a favourite of the caller. Also accepted as `favorite`.",
    examples: [false],
  }),
});

const toColumns = storedIn(boardFields, "update");

/** Changes the given fields of a board. */
export const updateBoard = mutation("board.update", Update)
  .meta(
    rest("Boards").put(
      "/boards/{boardPublicId}",
      "Update a board",
      "Changes the given fields of a board; `null` clears the description. `isFavourite` is the " +
        "caller's own. Making a board public " +
        "requires `board:edit`; being the creator is not enough. Restricting a board adds the " +
        "caller to its members. A restricted board's slug gets a random suffix, so that it cannot be " +
        "guessed. Returns 409 if the slug is reserved or " +
        "another board of the workspace has it.",
    ),
  )
  .output(BoardSummary)
  .mutation(async ({ ctx, input }) => {
    const { board, workspace, membership, tx } = ctx;
    const { visibility } = input;
    const slug = newSlug(board, input);
    const fields = toColumns({ ...input, slug }, board, tx.now);
    if (input.isFavourite !== undefined) await setFavourite(ctx, input.isFavourite);
    const before = showBoard(board);
    const changes = changesBetween(before, showBoard({ ...board, ...fields }));
    if (Object.keys(changes).length === 0) return boardSummary(tx.query, board, ctx);
    if (changes["visibility"] !== undefined) checkPublishing(membership, visibility);
    if (slug !== undefined && changes["slug"] !== undefined) {
      await checkSlug(tx, workspace.id, slug, board.id);
    }
    const { others, events } = divideChanges(changes, ownEvents(boardFields));
    const count = Number(others !== null) + events.length;
    const change = async () => {
      if (visibility === "restricted" && changes["visibility"] !== undefined) {
        await addToBoard(tx, board, membership.id);
      }
      const row = await tx.prisma.board.update({
        where: { id: board.id },
        data: { ...fields, version: { increment: count }, updatedAt: tx.now },
      });
      if (changes["name"] !== undefined || changes["description"] !== undefined)
        indexTexts(tx.query, board, [{ ...textOfBoard(row), oldName: board.name }]);
      const nextVersion = versionsOf(showBoard(row), count);
      if (others !== null) tx.emit("board.updated", { board: nextVersion() }, others);
      for (const [type, fieldChange] of events)
        tx.emit(type, { board: nextVersion() }, fieldChange);
      return row;
    };
    const after = await (changes["visibility"] === undefined
      ? change()
      : withAccessChanges(tx, { boardId: board.id }, [workspace.id], change));
    return boardSummary(tx.query, after, ctx);
  });

/** The slug to store, if it changes: a new one of a restricted board cannot be guessed. */
function newSlug(board: Board, { slug, visibility = board.visibility }: z.infer<typeof Update>) {
  const isSame = slug === undefined || slug.toLowerCase() === board.slug.toLowerCase();
  if (visibility !== "restricted" || (isSame && board.visibility === "restricted")) return slug;
  return hiddenSlugsFor(slug ?? board.slug)[0];
}
