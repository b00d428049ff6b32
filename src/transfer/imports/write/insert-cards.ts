import { takeNumbers } from "../../../domain/cards/number.ts";
import { cardName, viewCard } from "../../../domain/views/cards.ts";
import { insertJoins, insertRows } from "../bulk/rows.ts";
import { remember } from "../bulk/imported.ts";
import { ImportFailure } from "../failure.ts";
import type { SourceCard } from "../model.ts";
import { countMarks, momentOr, momentOrNull, newRow, type Making, type Target } from "./step.ts";
import type { Cards, Onto } from "./imported-card.ts";
import type { Placed } from "./positions.ts";

/** Makes cards with their labels and members; their numbers are taken from the workspace at once. */
export async function insertCards(
  making: Making,
  target: Target,
  placed: Placed[],
): Promise<Cards> {
  const { board, labels } = target;
  if (placed.length === 0) return new Map();
  const { run, tx, made, home } = making;
  const [live] = await tx.lock("boards", [board.id]);
  if (live === undefined) throw new ImportFailure(`“${board.name}” was deleted here meanwhile.`);
  const first = await takeNumbers(tx.query, home.id, placed.length);
  const rows = await insertRows(
    tx.query,
    "cards",
    placed.map(({ card, list, position }, place) => ({
      ...newRow(making),
      boardId: board.id,
      listId: list.id,
      number: first + place,
      title: card.title,
      description: card.description,
      position,
      startDate: momentOrNull(card.startDate),
      dueDate: momentOrNull(card.dueDate),
      completedAt: card.isComplete ? tx.now : null,
      archivedAt: card.isArchived ? tx.now : null,
      createdAt: momentOr(card.createdAt, tx.now),
    })),
  );
  made.add("card", "created", rows.length);
  for (const { card } of placed) countMarks(made, target, card, "created");
  const pairs = placed.flatMap((one, place) => {
    const row = rows[place];
    return row === undefined ? [] : [{ ...one, row }];
  });
  const things = pairs.map(({ card: { sourceId }, row }) => {
    return { kind: "card" as const, sourceId, targetId: row.id };
  });
  await remember(tx, run.row, board.id, things);

  const joined = { workspaceId: home.id, createdAt: tx.now };
  const labelled = pairs.flatMap(({ card, row }) =>
    card.labelIds.flatMap((one) => {
      const labelId = labels.get(one);
      return labelId === undefined ? [] : [{ cardId: row.id, labelId, ...joined }];
    }),
  );
  await insertJoins(tx.query, "card_labels", labelled);
  const assigned = pairs.flatMap(({ card, row }) =>
    card.people.map(({ id: memberId }) => ({ cardId: row.id, memberId, ...joined })),
  );
  await insertJoins(tx.query, "card_members", assigned);

  return new Map(
    pairs.map(({ card, list, row }): [SourceCard, Onto] => {
      const data = { card: viewCard(row, home.cardPrefix), list, board };
      const tell = () => tx.emit("card.created", data);
      const around = { card: cardName(row, home), list, board };
      return [card, { id: row.id, isNew: true, around, tell: [tell] }];
    }),
  );
}
