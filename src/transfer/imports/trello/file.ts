import { ImportFailure } from "../job/failure.ts";
import { noRepairs } from "../../../platform/json/readable.ts";
import { JsonError } from "../../../platform/json/read-json.ts";
import { LoopTurns } from "../../../platform/loop-turns.ts";
import { parse } from "../../../platform/parsing/pool.ts";
import { reportRepairs } from "../write/repairs.ts";
import type { BoardReader } from "./board-reader.ts";
import { exportTask, isOfBoard } from "./export-parts.ts";
import { TrelloBoardShape, type TrelloBoard } from "../../integrations/trello/shapes.ts";

/** Reads Trello's board export from a stream; fails with a message about what is wrong with it. */
export async function readExport(
  bytes: AsyncIterable<Uint8Array>,
  reader: BoardReader,
  onPart: () => Promise<void>,
  signal?: AbortSignal,
): Promise<TrelloBoard> {
  const board: Record<string, unknown> = {};
  const names = new Set<string>();
  let repairs = noRepairs();
  const turns = new LoopTurns();
  try {
    for await (const read of parse(exportTask, bytes, null, signal)) {
      if (read.parts === null) {
        repairs = read.repairs;
        for (const name of read.names) names.add(name);
        continue;
      }
      for (const part of read.parts) {
        if (isOfBoard(part)) board[part.field] = part.value;
        else reader.take(part.field, part.value);
        await turns.next();
      }
      await onPart();
    }
  } catch (error) {
    throw error instanceof JsonError ? failureFor(error) : error;
  }
  if (reader.cards.size > 0) names.add("cards");
  const missing = ["id", "lists", "cards"].filter((field) => !names.has(field));
  const parsed = TrelloBoardShape.safeParse(board);
  if (missing.length > 0 || !parsed.success) {
    const problem = missing.length > 0 ? `has no “${missing.join("”, “")}”` : "has an invalid id";
    throw new ImportFailure(`The file is JSON, but not Trello's board export: it ${problem}.`);
  }
  reportRepairs(repairs, reader.skip);
  return parsed.data;
}

function failureFor({ problem, at }: JsonError): ImportFailure {
  const messages: Record<JsonError["problem"], string> = {
    object: "The file is not a JSON object.",
    syntax: `The file is not JSON: it is invalid at byte ${at}.`,
    end: `The file is cut off after ${at} bytes.`,
    depth: "The file is nested too deeply for an export from Trello.",
    tokens: `An element of “${at}” is too large for an export from Trello.`,
    text: `A text in “${at}” is too long for an export from Trello.`,
    bytes: `An element of “${at}” is too large for an export from Trello.`,
  };
  return new ImportFailure(messages[problem]);
}
