import type { BoardEvent } from "../../../src/client/index.ts";
import { applyEvent, boardToRead } from "../../../src/client/store/reducer.ts";
import type { BoardView } from "../../../src/client/store/index.ts";

/** A client's copy: the boards that it can see, as `board.get` answers them. */
export type Copy = Map<string, BoardView>;

/** Reads a board; undefined when the client cannot see it. */
export type ReadBoard = (publicId: string) => Promise<BoardView | undefined>;

/** Applies an event to all boards of a copy, by the reducer of the client's store. */
export async function apply(copy: Copy, event: BoardEvent, read: ReadBoard): Promise<void> {
  const toRead = new Set<string>();
  const shown = boardToRead(event);
  if (shown !== undefined) toRead.add(shown);
  for (const [id, board] of copy) {
    const next = applyEvent(deepFreeze(board), event);
    if (next === "read") toRead.add(id);
    else if (next === "remove") copy.delete(id);
    else copy.set(id, next);
  }
  for (const id of toRead) {
    const board = await read(id);
    if (board === undefined) copy.delete(id);
    else copy.set(id, board);
  }
}

/** Makes every change of a board fail: the reducer must not change what it is given. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
