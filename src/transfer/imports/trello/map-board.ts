import { z } from "zod";
import { limitedName, limitedText, type Skip } from "../write/limits.ts";
import { momentOf, nameOf, textOf } from "../../../platform/foreign-text.ts";
import { sourceList } from "../write/source-parts.ts";
import { timesOf, type SourceBoard, type SourceField, type SourceLabel } from "../write/source.ts";
import type { BoardReader } from "./board-reader.ts";
import { noTime } from "../write/no-time.ts";
import { sourceField } from "../write/source-custom-fields.ts";
import type { TrelloTimes } from "./times.ts";
import { colours } from "../../integrations/trello/colours.ts";
import type {
  TrelloBoard,
  TrelloCustomField,
  TrelloLabel,
  TrelloList,
} from "../../integrations/trello/shapes.ts";

const WipLimit = z.int().min(1).max(1_000);

/** The creation time in an id of Trello's: it starts with the seconds. */
export function createdAt(id: string): string | null {
  if (!/^[0-9a-f]{24}$/i.test(id)) return null;
  return new Date(Number.parseInt(id.slice(0, 8), 16) * 1_000).toISOString();
}

/** Converts a board from Trello. */
export function mapTrelloBoard(
  board: TrelloBoard,
  { lists, times, customFields }: BoardReader,
  labels: ReadonlyMap<string, TrelloLabel>,
  skip: Skip,
): SourceBoard {
  const { id: sourceId } = board;
  const name = limitedName("board", board, 255, "Untitled board", skip);
  const partly = (reason: string) =>
    skip({ kind: "board", sourceId, name, severity: "partial", reason });
  return {
    publicId: sourceId,
    name,
    description: limitedText("description of the board", textOf(board.desc), 10_000, partly),
    type: board.prefs.isTemplate ? "template" : "regular",
    archivedAt: archivedAt("board", board, name, times, skip),
    ...timesOf(createdAt(sourceId)),
    lists: inOrder(lists).map((list) => {
      const archived = archivedAt("list", list, list.name, times, skip);
      const limits = { archivedAt: archived, wipLimit: limitOf(list, skip) };
      const { id, name: listName } = list;
      return sourceList({ id, name: listName, ...limits, createdAt: createdAt(id) }, skip);
    }),
    labels: [...new Set(labels.values())].map((label) => mapLabel(label, skip)),
    fields: inOrder([...customFields.values()]).map((field) => mapField(field, skip)),
  };
}

const inOrder = <Row extends { pos: number }>(rows: Row[]) =>
  rows.toSorted((one, other) => one.pos - other.pos);

/** When a board or list was archived; reports a time that the source does not have. */
function archivedAt(
  kind: "board" | "list",
  { id, closed, dateClosed }: { id: string; closed: boolean; dateClosed?: unknown },
  name: unknown,
  times: TrelloTimes,
  skip: Skip,
): string | null {
  if (!closed) return null;
  const time = momentOf(dateClosed) ?? times.of(kind, id) ?? null;
  const issue = { kind, sourceId: id, name: nameOf(name), severity: "partial" } as const;
  if (time === null) skip({ ...issue, reason: noTime("archived") });
  return time ?? "now";
}

/** The soft limit of a list; reports one out of our range, and a colour. */
function limitOf(list: z.infer<typeof TrelloList>, skip: Skip): number | null {
  const { id: sourceId, softLimit, color } = list;
  const issue = { kind: "list", sourceId, name: nameOf(list.name), severity: "partial" } as const;
  if (nameOf(color) !== null) skip({ ...issue, reason: "Colours of lists are not supported." });
  if ((softLimit ?? null) === null) return null;
  const limit = WipLimit.safeParse(softLimit).data ?? null;
  if (limit === null) skip({ ...issue, reason: "Its card limit is not between 1 and 1,000." });
  return limit;
}

function mapLabel({ id, name, color }: TrelloLabel, skip: Skip): SourceLabel {
  const colour = colours.get(String(color));
  if (colour === undefined && (color ?? null) !== null) {
    const reason = "Its colour is not one of Trello's.";
    skip({ kind: "label", sourceId: id, name: nameOf(name), severity: "partial", reason });
  }
  // Most labels at Trello have no name: then the colour is the name.
  const shownName = nameOf(name) ?? colour?.name ?? "No colour";
  return {
    publicId: id,
    name: limitedName("label", { id, name: shownName }, 36, "", skip),
    colourCode: colour?.colourCode ?? null,
  };
}

/** Converts a custom field; a list becomes a select. */
const mapField = (
  { id, name, type, display, options }: TrelloCustomField,
  skip: Skip,
): SourceField =>
  sourceField(
    {
      id,
      name,
      type: type === "list" ? "select" : type,
      isShownOnCard: display.cardFront,
      options: inOrder(options).map(({ id: option, value, color }) => {
        const colourCode = colours.get(String(color))?.colourCode ?? null;
        return { id: option, name: value.text, colourCode };
      }),
    },
    skip,
  );
