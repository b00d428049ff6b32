import { boardFields } from "../../../contract/fields/board.ts";
import { listFields } from "../../../contract/fields/list.ts";
import { readIn } from "../../../domain/declared-fields.ts";
import { insertBoard } from "../../../domain/boards/insert.ts";
import { slugsFor } from "../../../domain/slugs.ts";
import { showBoard } from "../../../domain/presenters/boards.ts";
import { showLabel } from "../../../domain/presenters/labels.ts";
import { readIndex } from "../../../kernel/positions.ts";
import { showList } from "../../../domain/presenters/lists.ts";
import { checkLimit } from "../../../kernel/limits.ts";
import { insertRows } from "../../../platform/db/insert-rows.ts";
import type { Board } from "../../../platform/db/rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import { ImportFailure } from "../job/failure.ts";
import { fieldRefs, writeCustomFields } from "./custom-fields.ts";
import { findKnown, refsOf, removeGoneBoard } from "./identity.ts";
import type { SourceBoard } from "./source.ts";
import { writeParts } from "./parts.ts";
import {
  announce,
  importStep,
  newRow,
  textBytes,
  visibleToStarter,
  type ImportStep,
  type Writer,
} from "./step.ts";

const readBoard = readIn(boardFields);
const readList = readIn(listFields);

/** Writes a board with its lists and labels, or what is missing of it. Returns its writer. */
export const writeBoard = (writer: Writer, source: SourceBoard): Promise<Writer> =>
  importStep(writer, async (step) => {
    const { tx, context, identity, report } = step;
    const { publicId: sourceId } = source;
    await removeGoneBoard(tx.query, context.row, sourceId);
    const lookUp = await findKnown(identity, tx.query, refsOf("board", [source]));
    const before = lookUp("board", sourceId);
    const isNew = before === undefined || before.mine;
    report.add("board", isNew ? "created" : "alreadyThere");
    const board =
      before === undefined
        ? await createBoard(step, source)
        : await lockBoard(step, before.targetId);
    await writeBoardParts({ ...step, board }, board, source, isNew);
    return { ...writer, board };
  });

/** Writes the lists and labels that a board does not have yet. A new board may have any. */
async function writeBoardParts(
  step: ImportStep,
  board: Board,
  source: SourceBoard,
  isNew: boolean,
) {
  const { tx, target, identity } = step;
  const lookUp = await findKnown(identity, tx.query, [
    ...refsOf("list", source.lists),
    ...refsOf("label", source.labels),
    ...fieldRefs(source),
  ]);
  const lacks = (permission: "list:create" | "card:edit" | "board:edit") => () =>
    isNew || target.may.has(permission) ? null : permission;
  // A run that continues finds parts of the board that it created.
  const parent = { id: board.id, isNew: false, boardId: board.id };
  const lists = await writeParts(step, lookUp, {
    kind: "list",
    parents: [[parent, source.lists]],
    lacks: lacks("list:create"),
    nameOf: ({ name }) => name,
    rowOf: (base, list, { id: boardId }, position) => ({
      ...base,
      boardId,
      position,
      ...readList(list, tx.now),
    }),
  });
  for (const { row } of lists) {
    const to = { index: await readIndex(tx.query, "list", row.id) };
    announce(step, "list.created", { list: showList(row), board, to });
  }
  const labels = await writeParts(step, lookUp, {
    kind: "label",
    parents: [[parent, source.labels]],
    lacks: lacks("card:edit"),
    nameOf: ({ name }) => name,
    rowOf: (base, { name, colourCode }, { id: boardId }) => ({
      ...base,
      boardId,
      name,
      colourCode,
    }),
  });
  for (const { row } of labels) announce(step, "label.created", { label: showLabel(row), board });
  await writeCustomFields(step, board, source.fields ?? [], lookUp, lacks("board:edit"));
}

async function createBoard(step: ImportStep, source: SourceBoard): Promise<Board> {
  const { tx, target, identity } = step;
  await tx.lock("workspaces", [target.id]);
  await checkLimit(tx, "boards", target.id);
  const { workspaceId, createdById, ...row } = newRow(step, source);
  await tx.copied.add([{ bytes: textBytes(source) }]);
  const { slug } = source;
  const board = await insertBoard(
    tx,
    { workspaceId, createdById },
    {
      ...readBoard(source, tx.now),
      ...row,
      slugs: slug === undefined ? slugsFor(source.name) : [slug, ...slugsFor(slug)],
    },
  );
  const starter = target.memberId === null ? [] : [target.memberId];
  const memberIds =
    source.memberPublicIds?.flatMap((id) => step.members.get(id)?.id ?? []) ?? starter;
  const join = { boardId: board.id, workspaceId, createdAt: tx.now };
  const joins = memberIds.map((memberId) => ({ ...join, memberId }));
  await insertRows(tx.query, "board_members", joins, sql`ON CONFLICT DO NOTHING`);
  const { publicId: sourceId } = source;
  const record = { kind: "board", sourceId, targetId: board.id, boardId: board.id } as const;
  await identity.record(tx, [record]);
  announce(step, "board.created", { board: showBoard(board) });
  return board;
}

/** Locks a board that was imported before. The starter may have lost access to it since. */
async function lockBoard(step: ImportStep, id: bigint): Promise<Board> {
  const { tx } = step;
  const [board] = await tx.query<{ isVisible: boolean }>(sql`
    SELECT ${visibleToStarter(step)} AS "isVisible" FROM boards b WHERE b.id = ${id}`);
  if (board?.isVisible !== true) {
    throw new ImportFailure(
      "The board was imported before, and is restricted to members who were added to it.",
    );
  }
  await tx.lock("boards", [id]);
  return tx.prisma.board.findUniqueOrThrow({ where: { id } });
}
