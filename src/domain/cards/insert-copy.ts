import type { Caller } from "../../kernel/access/callers.ts";
import type { AccessibleList } from "../../kernel/access/accessible-list.ts";
import { positionAt } from "../../kernel/positions.ts";
import { checkCardLimit } from "../../kernel/limits.ts";
import type { Card } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import { copyComments, copyMarks } from "./copy.ts";
import { insertCard } from "./insert.ts";
import { remapLabels } from "./remap-labels.ts";

type Along = {
  title?: string | undefined;
  withChecklists: boolean;
  withLabels: boolean;
  withMembers: boolean;
  withComments: boolean;
};
type To = {
  workspace: { id: bigint; lastCardNumber: number };
  list: AccessibleList;
  caller: Caller;
};

/** Writes a card like another one, with what is to come along, at the end of a list, which is locked for it. */
export async function insertCopy(
  tx: UnitOfWork<"label.created">,
  source: Card,
  { workspace, list, caller }: To,
  along: Along,
): Promise<Card> {
  if ((await tx.lock("lists", [list.id])).length === 0) throw notFound("list");
  const elsewhere = list.board.id !== source.boardId;
  // `relabel` needs the board, which comes before the workspace that gives the number.
  if (elsewhere) await tx.lock("boards", [list.board.id]);
  await checkCardLimit(tx, workspace, list.board.id);
  const card = await insertCard(
    tx,
    { workspaceId: workspace.id, createdById: caller.userId },
    {
      boardId: list.board.id,
      listId: list.id,
      position: await positionAt(tx.query, "card", list.id, {}),
      copyOf: source.id,
      title: along.title,
    },
  );
  await copyMarks(tx, source.id, card, along);
  if (along.withComments) await copyComments(tx, source.id, card);
  if (along.withLabels && elsewhere) await remapLabels({ caller, tx }, [card.id], list.board);
  return card;
}
