import type { As } from "./as.ts";

/** A board as a user sees it, without the cursor, which every event moves. */
export async function readBoard(user: As, publicId: string): Promise<any> {
  const { cursor: _, ...board } = (await user.rest.get(`/boards/${publicId}`)).body;
  return board;
}
