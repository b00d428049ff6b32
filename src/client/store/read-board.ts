import { BoardServiceError } from "../errors.ts";
import type { Client } from "../index.ts";
import type { Board } from "../router.ts";
import { delayOf } from "../transport.ts";
import type { BoardCopy } from "./copy.ts";
import { denied, mayPass } from "./failures.ts";
import type { Waiting } from "./waiting.ts";

/** Reads a board when the service can be reached; undefined when it is no longer open. */
export async function readBoard(
  client: Client,
  copy: BoardCopy,
  waiting: Waiting,
  onInterrupted: (error: unknown) => void,
): Promise<Board | BoardServiceError | undefined> {
  for (let attempts = 0; copy.users > 0 && !waiting.isClosed; attempts++) {
    try {
      return await client.board.get({ boardPublicId: copy.publicId });
    } catch (error) {
      if (!mayPass(error, attempts)) {
        return error instanceof BoardServiceError ? error : denied(String(error));
      }
      onInterrupted(error);
      await waiting.wait(delayOf(attempts));
    }
  }
  return undefined;
}
