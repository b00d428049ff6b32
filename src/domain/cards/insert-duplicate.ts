import type { Caller } from "../../kernel/access/callers.ts";
import type { AccessibleList } from "../../kernel/access/accessible-list.ts";
import { checkCardLimit } from "../../kernel/limits.ts";
import type { Card } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import { checkAssigneesSee } from "../../kernel/access/assignees.ts";
import { copyComments, copyRelations, readSources } from "./copy-relations.ts";
import { insertCard } from "./insert.ts";
import { remapLabels } from "./remap-labels.ts";

type Selection = {
  publicId: string;
  title?: string | undefined;
  withChecklists: boolean;
  withLabels: boolean;
  withMembers: boolean;
  withComments: boolean;
};
type Target = {
  workspace: { id: bigint; lastCardNumber: number };
  list: AccessibleList;
  caller: Caller;
};

/** In the order of locks: the list, its board for `remapLabels`, the workspace for the number. */
async function lockList(tx: UnitOfWork, { id, board }: AccessibleList, withBoard: boolean) {
  if ((await tx.lock("lists", [id])).length === 0) throw notFound("list");
  if (withBoard) await tx.lock("boards", [board.id]);
}

/** Inserts a copy of a card at the end of a list, which it locks, with the selected relations. */
export async function insertDuplicate(
  tx: UnitOfWork<"label.created">,
  source: Card,
  { workspace, list, caller }: Target,
  selection: Selection,
): Promise<Card> {
  const toOtherBoard = list.board.id !== source.boardId;
  await lockList(tx, list, toOtherBoard);
  await checkCardLimit(tx, workspace, list.board.id);
  const sources = await readSources(tx, source, selection);
  const card = await insertCard(
    tx,
    { workspaceId: workspace.id, createdById: caller.userId },
    {
      publicId: selection.publicId,
      boardId: list.board.id,
      listId: list.id,
      copyOf: source.id,
      title: selection.title,
    },
  );
  await copyRelations(tx, source.id, card, selection, sources);
  await checkAssigneesSee(tx.query, list.board.id, [card.id]);
  if (selection.withComments) await copyComments(tx, sources, card);
  if (selection.withLabels && toOtherBoard) {
    await remapLabels({ caller, tx }, [card.id], list.board);
  }
  return card;
}
