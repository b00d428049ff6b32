import { z } from "zod";
import { addressOf } from "../../../platform/foreign-text.ts";
import { notFound } from "../../../platform/errors.ts";
import type { Staging } from "../../../platform/storage/staging.ts";
import type { CallHost } from "../../integrations/hosts.ts";
import { boardIds, kanHost, readBoard, readCard } from "../../integrations/kan/read.ts";
import { WholeCard } from "../../integrations/kan/shapes.ts";
import { SourceId } from "../../integrations/shapes.ts";
import { callerOf, readerOf } from "../host-calls.ts";
import { filesOf } from "../source-files.ts";
import type { ImportContext } from "../job/context.ts";
import { source } from "../job/sources.ts";
import { checkCardBytes, checkMax } from "../write/limits.ts";
import { importBoards, type StagedBoard, type StagedCard } from "../write/staged-board.ts";
import { mapKanBoard, mapKanCard } from "./map.ts";

/** What is stored, sealed, until the import ends. */
const KanSource = z.object({
  url: z.string(),
  apiKey: z.string(),
  workspaceIds: z.array(SourceId).optional(),
  boardIds: z.array(SourceId).optional(),
});

/** Imports boards from Kan's API. */
export const kan = source(KanSource, async (context, { url, apiKey, ...selected }) => {
  const host = kanHost(url, apiKey);
  const call = callerOf(context, host);
  const listing = await readerOf(context, host, "boards");
  const ids = selected.boardIds ?? (await readBoardIds(listing, selected.workspaceIds));
  // The addresses of files expire, so each is asked for when it is fetched.
  const fetch = filesOf(context, host.service, async ({ cardId, attachmentId }) => {
    const card = await readCard(call, cardId);
    const file = card?.attachments.find(({ publicId }) => publicId === attachmentId);
    const address = addressOf(file?.url);
    if (address === null) throw notFound("source");
    return { url: address };
  });
  const missing = "Kan has no such board, or the key may not read it.";
  await importBoards(context, ids, missing, async (id, staging) => {
    const read = await readerOf(context, host, `board ${id}`);
    const board = await readKanBoard(context, read, id, staging);
    return board && { ...board, fetch };
  });
});

async function readBoardIds(call: CallHost, workspaceIds?: string[]): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const id of boardIds(call, workspaceIds)) {
    ids.add(id);
    checkMax("boards", ids.size);
  }
  return ids;
}

const nothing = { attachments: [], activities: [] };

async function readKanBoard(
  context: ImportContext,
  call: CallHost,
  id: string,
  staging: Staging,
): Promise<Omit<StagedBoard, "fetch"> | null> {
  const boardRead = await readBoard(call, id);
  if (boardRead === null) return null;
  const { board, isTemplate } = boardRead;
  const lists: StagedCard[][] = [];
  let readCount = 0;
  for (const { publicId: listId, cards } of board.lists) {
    const staged: StagedCard[] = [];
    for (const card of cards.toSorted((one, other) => one.index - other.index)) {
      await context.checkAlive();
      // Kan counts calls: cards without comments and files need none.
      const hasMore = card.comments.length > 0 || card.attachments.length > 0;
      const detail = hasMore ? await readCard(call, card.publicId) : null;
      const wholeCard: WholeCard = { card, listId, detail: detail ?? nothing };
      const value = staging.put(wholeCard);
      checkCardBytes(card.publicId, value.length);
      staged.push({ id: card.publicId, values: [value] });
      context.progress("reading", ++readCount);
      await staging.flush();
    }
    lists.push(staged);
  }
  checkMax("people", board.workspace.members.length);
  const memberOf = new Map(
    board.workspace.members.map((member) => [member.user?.id, member.publicId]),
  );
  return {
    board: mapKanBoard(board, isTemplate, context.skip),
    lists,
    toCard: ([card], members) => mapKanCard(WholeCard.parse(card), { memberOf, members }),
  };
}
