import { viewComment } from "../../../domain/views/comments.ts";
import type { LookUp } from "./identity.ts";
import { notHeld } from "./permissions.ts";
import { announce, insertNew, newRow, withoutKnown, type ImportStep } from "./step.ts";
import type { Cards } from "./written-card.ts";

/** Writes the comments that cards do not have yet, with their moments and the authors' names. */
export async function writeComments(step: ImportStep, cards: Cards, known: LookUp): Promise<void> {
  const isAllowed = step.target.may.has("comment:create");
  const rows = [...cards].flatMap(([{ comments, title: name }, card]) => {
    const fresh = withoutKnown(step, known, "comment", comments);
    for (const { sourceId } of isAllowed ? [] : fresh)
      step.report.skip({ kind: "comment", sourceId, name, reason: notHeld("comment:create") });
    return (isAllowed ? fresh : []).map((comment) => ({
      card,
      sourceId: comment.sourceId,
      row: {
        ...newRow(step, { ...comment, updatedAt: comment.updatedAt ?? comment.createdAt ?? null }),
        cardId: card.id,
        comment: comment.comment,
        // A source does not prove who wrote it: the author is a name, never an account.
        createdById: null,
        authorName: comment.authorName,
        version: comment.isEdited === true ? 2 : 1,
      },
    }));
  });
  for (const { card, row } of await insertNew(step, "comment", "comments", rows)) {
    const comment = viewComment(row, null);
    card.events.push(() => announce(step, "comment.created", { comment, ...card.around }));
  }
}
