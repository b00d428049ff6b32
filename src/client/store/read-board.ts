import { BoardServiceError } from "../errors.ts";
import type { Client } from "../index.ts";
import type { Board } from "../router.ts";
import type { ConnectionState } from "./connection.ts";
import { reasonOf, retryDelays } from "./failures.ts";
import type { Waiting } from "./waiting.ts";

/** Reads until the service has answered; undefined when it is no longer needed. */
export async function retryRead<Result>(
  read: () => Promise<Result>,
  isNeeded: () => boolean,
  waiting: Waiting,
  { interrupt, succeed }: Pick<ConnectionState, "interrupt" | "succeed">,
): Promise<Result | BoardServiceError | undefined> {
  const delayAfter = retryDelays();
  while (!waiting.isClosed) {
    try {
      const result = await read();
      succeed();
      return result;
    } catch (error) {
      const delayMs = delayAfter(error);
      if (delayMs === undefined) {
        return error instanceof BoardServiceError ? error : new BoardServiceError(reasonOf(error));
      }
      interrupt(error);
      if (!isNeeded()) break;
      await waiting.wait(delayMs);
    }
  }
  return undefined;
}

/** Reads a board. Of one that exceeds the size of an answer, `board.get` shows the first cards. */
export async function readBoard(client: Client, boardPublicId: string): Promise<Board> {
  const board = await client.board.get({ boardPublicId });
  const { lists, isArchived: archived, workspacePublicId } = board;
  if (lists.every(({ cards, cardCount }) => cards.length >= cardCount)) return board;
  const selection = { boardPublicIds: [boardPublicId], archived };
  const { boards } = await client.readBoards(workspacePublicId, selection);
  return boards[0] ?? board;
}
