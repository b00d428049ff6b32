"use server";

import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { sessions } from "../sessions";
import { textOf } from "./text-of";

/** Creates a workspace with a board, and opens the board. */
export async function createBoard(form: FormData) {
  const boards = sessions.client(await cookies());
  const name = textOf(form, "name");
  const { publicId: workspacePublicId } = await boards.workspace.create({ name });
  const lists = ["To do", "Doing", "Done"];
  const { publicId } = await boards.board.create({ workspacePublicId, name, lists });
  redirect(`/boards/${publicId}`);
}
