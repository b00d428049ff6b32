import { z } from "zod";
import { declareResponses } from "../../../platform/http/response-shapes.ts";
import { badGateway, Failure } from "../../../platform/errors.ts";
import { callTrello, type TrelloApi, type TrelloCredentials } from "./call.ts";

/** A board of Trello's, by its 24-digit id. */
export type TrelloBoardRef = { id: string; name: string };

export const Boards = z.array(
  z.object({ id: z.string().min(1), name: z.string().nullish(), closed: z.boolean().nullish() }),
);
declareResponses(import.meta.url, { Boards });

/**
 * All boards that the token may read, each once, open ones before closed ones (an import takes
 * both); one without a name is
 * "Untitled". Throws 403 (its issue says which of key and token was refused), 429 or 502.
 */
export async function listTrelloBoards(
  api: TrelloApi,
  credentials: TrelloCredentials,
): Promise<TrelloBoardRef[]> {
  const path = "/1/members/me/boards?fields=name,closed&filter=all";
  const boards = await callTrello(api, credentials, path, Boards).catch((error: unknown) => {
    const isGone = error instanceof Failure && error.failure === "NOT_FOUND";
    throw isGone
      ? badGateway("provider_failed", "Trello answered with status 404 for the list of boards.")
      : error;
  });
  return [...new Map(boards.map((board) => [board.id, board])).values()]
    .sort((a, b) => Number(a.closed ?? false) - Number(b.closed ?? false))
    .map(({ id, name }) => ({ id, name: name || "Untitled" }));
}
