import { z } from "zod";
import { WipMode } from "../../../contract/vocabulary/enums.ts";
import { createBoard } from "../../../domain/boards/create.ts";
import { updateBoard } from "../../../domain/boards/update.ts";
import { createLabel } from "../../../domain/labels/create.ts";
import { updateLabel } from "../../../domain/labels/update.ts";
import { createList } from "../../../domain/lists/create.ts";
import { moveList } from "../../../domain/lists/move.ts";
import { updateList } from "../../../domain/lists/update.ts";
import { listWorkspaces } from "../../../domain/workspaces/list.ts";
import * as arg from "../arguments.ts";
import { quoted, ToolError } from "../text.ts";
import { findRenamed, write, writes } from "../tool.ts";
import { present } from "../../../kernel/events/changes.ts";
import { finding } from "./filters.ts";

const colour = z.string().describe("Such as #1f2e3d.");

const boardCreate = writes(
  {
    name: "board_create",
    title: "Create a board",
    group: "boards",
    description: "Creates a board with lists and labels, in order.",
    procedures: [createBoard, listWorkspaces],
    input: {
      name: z.string(),
      workspace: arg.Workspace,
      description: z.string().optional(),
      lists: z.array(z.string()).optional(),
      labels: z.array(z.string()).optional(),
    },
  },
  async (find, { workspace, name, ...others }) => {
    const { publicId: workspacePublicId } = await find.workspace(workspace);
    return write(
      createBoard,
      { workspacePublicId, name, ...present(others) },
      ({ publicId }) => `Created the board ${quoted(name)} (${publicId}).`,
    );
  },
);

const boardUpdate = writes(
  {
    name: "board_update",
    title: "Update a board",
    group: "boards",
    description: "Renames, describes, archives or brings back a board. Nothing is deleted.",
    procedures: [updateBoard, ...finding],
    input: {
      board: arg.Board,
      name: z.string().optional(),
      description: z.string().optional(),
      clear: arg.clearOf("description"),
      isArchived: arg.Archived,
    },
  },
  async (find, { board: boardName, clear, ...given }) => {
    const changes = arg.withCleared(given, clear);
    const { resource: board, refusal } = await findRenamed(boardName, changes.name, (nameOrId) =>
      find.board(nameOrId),
    );
    const input = { boardPublicId: board.publicId, ...present(changes) };
    return write(updateBoard, input, ({ name }) => `Updated the board ${quoted(name)}.`, refusal);
  },
);

const listCreate = writes(
  {
    name: "list_create",
    title: "Add a list",
    group: "boards",
    description: "Adds a list to a board, at its end unless `position` says start.",
    procedures: [createList, ...finding],
    input: { board: arg.Board, name: z.string(), position: arg.Position },
  },
  async (find, { board, name, position }) => {
    const { publicId: boardPublicId } = await find.board(board);
    return write(createList, { boardPublicId, name, ...present({ position }) }, ({ publicId }) => {
      return `Added the list ${quoted(name)} (${publicId}).`;
    });
  },
);

type Places = {
  position?: "start" | "end" | undefined;
  beforeListPublicId?: string | undefined;
  afterListPublicId?: string | undefined;
  override?: boolean | undefined;
};
type Others = Record<string, unknown>;

/** Moves a list to another board: one call, which changes nothing else of it. */
function moved(
  { publicId, name }: { publicId: string; name: string },
  boardPublicId: string,
  { position, beforeListPublicId, afterListPublicId, override, ...others }: Places & Others,
) {
  const [other] = Object.keys(present(others));
  if (other !== undefined)
    throw new ToolError(`\`toBoard\` only moves the list. Send ${other} in another call.`);
  const places = { position, beforeListPublicId, afterListPublicId, override };
  const input = { listPublicId: publicId, boardPublicId, ...present(places) };
  return write(moveList, input, () => `Moved the list ${quoted(name)} to the board.`);
}

const listUpdate = writes(
  {
    name: "list_update",
    title: "Update a list",
    group: "boards",
    description:
      "Renames, moves, archives or brings back a list, or sets how many cards it should have at " +
      "most.",
    procedures: [updateList, moveList, ...finding],
    input: {
      list: arg.List,
      board: arg.Board,
      toBoard: z.string().describe("Moves it there with its cards.").optional(),
      name: z.string().optional(),
      wipLimit: z.int().optional(),
      clear: arg.clearOf("wipLimit"),
      wipMode: z.enum(WipMode.options).optional(),
      isArchived: arg.Archived,
      override: arg.Override,
      position: arg.Position,
      before: arg.List.optional(),
      after: arg.List.optional(),
    },
  },
  async (find, { list: listName, board, toBoard, before, after, clear, ...given }) => {
    const changes = arg.withCleared(given, clear);
    const { resource: list, refusal } = await findRenamed(listName, changes.name, (nameOrId) =>
      find.list(nameOrId, board),
    );
    const boardPublicId =
      toBoard === undefined ? list.boardPublicId : (await find.board(toBoard)).publicId;
    const idOf = async (neighbour: string | undefined) =>
      neighbour === undefined ? neighbour : (await find.listOf(boardPublicId, neighbour)).publicId;
    const places = { beforeListPublicId: await idOf(before), afterListPublicId: await idOf(after) };
    if (toBoard !== undefined) return moved(list, boardPublicId, { ...changes, ...places });
    const input = { listPublicId: list.publicId, ...present({ ...changes, ...places }) };
    return write(updateList, input, ({ name }) => `Updated the list ${quoted(name)}.`, refusal);
  },
);

const labelCreate = writes(
  {
    name: "label_create",
    title: "Add a label",
    group: "boards",
    description: "Adds a label to a board.",
    procedures: [createLabel, ...finding],
    input: { board: arg.Board, name: z.string(), colour: colour.optional() },
  },
  async (find, { board, name, colour: colourCode = "#6b7280" }) => {
    const { publicId: boardPublicId } = await find.board(board);
    return write(createLabel, { boardPublicId, name, colourCode }, () => {
      return `Added the label ${quoted(name)}.`;
    });
  },
);

const labelUpdate = writes(
  {
    name: "label_update",
    title: "Update a label",
    group: "boards",
    description: "Renames or recolours a label of a board.",
    procedures: [updateLabel, ...finding],
    input: {
      board: arg.Board,
      label: z.string(),
      name: z.string().optional(),
      colour: colour.optional(),
    },
  },
  async (find, { board, label, name, colour: colourCode }) => {
    const { publicId: boardPublicId } = await find.board(board);
    const { resource: current, refusal } = await findRenamed(label, name, (nameOrId) =>
      find.label(boardPublicId, nameOrId),
    );
    const input = {
      labelPublicId: current.publicId,
      name: name ?? current.name,
      colourCode: colourCode ?? current.colourCode ?? "#6b7280",
    };
    const say = () => `Updated the label ${quoted(input.name)}.`;
    return write(updateLabel, input, say, refusal);
  },
);

/** The tools that write boards, their lists and labels. */
export const boardTools = [
  boardCreate,
  boardUpdate,
  listCreate,
  listUpdate,
  labelCreate,
  labelUpdate,
];
