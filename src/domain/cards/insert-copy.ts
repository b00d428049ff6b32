import type { Caller } from "../../kernel/access/callers.ts";
import type { ReachedList } from "../../kernel/access/accessible-list.ts";
import { keyFor } from "../../kernel/positions.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { checkCards } from "../../kernel/limits.ts";
import type { Card } from "../../platform/db/rows.ts";
import type { Work } from "../../kernel/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import { copyComments, copyMarks } from "./copy.ts";
import { takeNumbers } from "./number.ts";
import { relabel } from "./remap-labels.ts";

type Along = {
  title?: string | undefined;
  withChecklists: boolean;
  withLabels: boolean;
  withMembers: boolean;
  withComments: boolean;
};
type To = {
  workspace: { id: bigint; lastCardNumber: number };
  list: ReachedList;
  caller: Caller;
};

/** Writes a card like another one, with what is to come along, at the end of a list, which is locked for it. */
export async function insertCopy(
  work: Work<"label.created">,
  source: Card,
  { workspace, list, caller }: To,
  along: Along,
): Promise<Card> {
  if ((await work.lock("lists", [list.id])).length === 0) throw notFound("list");
  const elsewhere = list.board.id !== source.boardId;
  // `relabel` needs the board, which comes before the workspace that gives the number.
  if (elsewhere) await work.lock("boards", [list.board.id]);
  await checkCards(work, workspace, list.board.id);
  const card = await work.tx.card.create({
    data: {
      publicId: publicId(),
      workspaceId: workspace.id,
      boardId: list.board.id,
      listId: list.id,
      title: along.title ?? source.title,
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
  await copyMarks(work, source.id, card, along);
  if (along.withComments) await copyComments(work, source.id, card);
  if (along.withLabels && elsewhere) await relabel({ caller, work }, [card.id], list.board);
  return card;
}
