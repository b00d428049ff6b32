import { viewComment } from "../../../domain/views/comments.ts";
import { insertRows } from "../bulk/rows.ts";
import { remember } from "../bulk/imported.ts";
import type { SourceComment } from "../model.ts";
import { momentOr, newRow, type Making, type Target } from "./step.ts";
import type { Cards, LookUp, Onto } from "./imported-card.ts";

/** Writes the comments of cards that are not there yet, with the moment and the name that they had. */
export async function writeComments(
  making: Making,
  target: Target,
  onto: Cards,
  known: LookUp,
): Promise<void> {
  const { run, tx, made } = making;
  const fresh: { on: Onto; comment: SourceComment }[] = [];
  for (const [card, on] of onto) {
    for (const comment of card.comments) {
      const before = known({ kind: "comment", sourceId: comment.sourceId });
      if (before !== undefined) made.add("comment", before.mine ? "created" : "alreadyThere");
      else fresh.push({ on, comment });
    }
  }
  const rows = await insertRows(
    tx.query,
    "comments",
    fresh.map(({ on, comment: { comment, author, authorName, createdAt } }) => {
      const moment = momentOr(createdAt, tx.now);
      return {
        ...newRow(making),
        cardId: on.id,
        comment,
        createdById: author?.userId ?? null,
        authorName,
        createdAt: moment,
        updatedAt: moment,
      };
    }),
  );
  made.add("comment", "created", rows.length);
  const things = rows.map((row, place) => {
    const { on, comment } = fresh[place] ?? {};
    const shown = viewComment(row, null);
    on?.tell.push(() => tx.emit("comment.created", { comment: shown, ...on.around }));
    return { kind: "comment" as const, sourceId: comment?.sourceId ?? "", targetId: row.id };
  });
  await remember(tx, run.row, target.board.id, things);
}
