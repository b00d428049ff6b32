import { showComment } from "../../../domain/presenters/comments.ts";
import { indexTexts, textOfComment } from "../../../domain/search/index-texts.ts";
import { refsOf, type LookUp } from "./identity.ts";
import { writeParts } from "./parts.ts";
import type { SourceComment } from "./source.ts";
import { announce, type Cards, type ImportedPart, type ImportStep } from "./step.ts";

/** The id of the author of a comment at its source: without one, the name. */
const authorOf = ({ author }: SourceComment) => author.memberPublicId ?? author.name;

/** Writes the comments that cards do not have yet, with their moments and the authors' names. */
async function writeComments(step: ImportStep, cards: Cards, lookUp: LookUp): Promise<void> {
  const writtenComments = await writeParts(step, lookUp, {
    kind: "comment",
    parents: [...cards].map(([{ comments }, card]) => [card, comments] as const),
    lacks: () => (step.target.may.has("comment:create") ? null : "comment:create"),
    nameOf: (_, card) => card.eventRefs.card.title,
    rowOf: (base, source, card) => ({
      ...base,
      cardId: card.id,
      comment: source.comment,
      // A source does not prove who wrote it: the author is a name, never an account.
      createdById: null,
      authorName: source.author.name,
      importSource: step.context.row.family,
      importAuthorId: authorOf(source),
      version: source.isEdited ? 2 : 1,
    }),
  });
  const texts = writtenComments.map(({ parent: { boardId }, row }) =>
    textOfComment(row.id, boardId, row.comment),
  );
  indexTexts(step.tx.query, { workspaceId: step.target.id }, texts);
  for (const { parent: card, row } of writtenComments) {
    const comment = showComment(row, null);
    card.events.push(() => announce(step, "comment.created", { comment, ...card.eventRefs }));
  }
}

/** The comments on cards. */
export const comments: ImportedPart = {
  refs: (card) => refsOf("comment", card.comments),
  people: (card) =>
    card.comments.flatMap((comment) => {
      const sourceId = authorOf(comment);
      return sourceId === null ? [] : [{ sourceId, name: comment.author.name ?? sourceId }];
    }),
  write: writeComments,
};
