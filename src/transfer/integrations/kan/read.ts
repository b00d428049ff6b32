import { Failure } from "../../../platform/errors.ts";
import { withoutApiPath, type CallHost, type Host } from "../hosts.ts";
import {
  AccessResponse,
  BoardsResponse,
  CardDetail,
  KanBoard,
  WorkspacesResponse,
} from "./shapes.ts";

/** A Kan at an address, with a user's API key. */
export const kanHost = (url: string, apiKey: string): Host => ({
  service: "Kan",
  url: `${withoutApiPath(url)}/api/v1`,
  headers: { Authorization: `Bearer ${apiKey}` },
  refusesOverLimit:
    "It also refuses a key for up to a minute after 100 calls in a minute: try again then.",
});

/** The boards that Kan lists apart. */
const filters = ["regular", "template"].flatMap((type) => [
  `?type=${type}`,
  `?type=${type}&archived=true`,
]);

/** Lists the ids of the boards that the key sees: of some workspaces, or of all. */
export async function* boardIds(call: CallHost, workspaceIds?: string[]): AsyncGenerator<string> {
  const ids = workspaceIds ?? (await listWorkspaces(call));
  for (const id of ids)
    for (const filter of filters) {
      const boards = await call(
        `/workspaces/${encodeURIComponent(id)}/boards${filter}`,
        BoardsResponse,
      );
      for (const { publicId } of boards) yield publicId;
    }
}

const listWorkspaces = async (call: CallHost) =>
  (await call("/workspaces", WorkspacesResponse)).map(({ workspace }) => workspace.publicId);

/** Reads a board and whether it is a template; null when the key may not read it. */
export async function readBoard(
  call: CallHost,
  id: string,
): Promise<{ board: KanBoard; isTemplate: boolean } | null> {
  const path = `/boards/${encodeURIComponent(id)}`;
  const board = await orMissing(call(path, KanBoard));
  if (board !== null) return { board, isTemplate: false };
  const template = await orMissing(call(`${path}?type=template`, KanBoard));
  return template && { board: template, isTemplate: true };
}

/** Reads what only the answer about one card has; null when the card is gone. */
export const readCard = (call: CallHost, id: string) =>
  orMissing(call(`/cards/${encodeURIComponent(id)}`, CardDetail));

async function orMissing<Answer>(response: Promise<Answer>): Promise<Answer | null> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof Failure && error.failure === "NOT_FOUND") return null;
    throw error;
  }
}

/** Checks that the key is accepted; the answer itself is not needed. */
export const checkAccess = (call: CallHost) => call("/workspaces", AccessResponse);
