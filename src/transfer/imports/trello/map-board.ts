import { nameOf, shortened, textOf } from "../clean.ts";
import type { SourceBoard, SourceLabel, SourceList } from "../model.ts";
import type { Loss } from "../report.ts";
import { colours } from "./colours.ts";
import type { Reading } from "./reading.ts";

type Lose = (loss: Loss) => void;
type Named = { id: string; name?: unknown };

/** When one of Trello's things was made: its id begins with the seconds. */
export function createdAt(id: string): string | null {
  if (!/^[0-9a-f]{24}$/i.test(id)) return null;
  return new Date(Number.parseInt(id.slice(0, 8), 16) * 1_000).toISOString();
}

/** A name within our bounds; says when it is not the one that the source has. */
export function boundName(
  kind: string,
  { id, name }: Named,
  most: number,
  otherwise: string,
  lose: Lose,
): string {
  const whole = nameOf(name);
  const kept = shortened(whole ?? otherwise, most).trim();
  const said = { kind, sourceId: id, name: kept, partly: true };
  if (whole === null) lose({ ...said, reason: "It had no name." });
  else if (kept !== whole)
    lose({ ...said, reason: `A name has at most ${most} characters here: it was cut.` });
  return kept;
}

/** A board of Trello's in our terms. */
export function mapBoard({ board, lists, labels }: Reading, lose: Lose): SourceBoard {
  const text = textOf(board.desc);
  const description = text === null ? null : shortened(text, 10_000);
  const name = boundName("board", board, 255, "Untitled board", lose);
  if (description !== text) {
    const reason = "A board's description has at most 10,000 characters here: it was cut.";
    lose({ kind: "board", sourceId: board.id, name, partly: true, reason });
  }
  return {
    sourceId: board.id,
    name,
    description,
    isArchived: board.closed,
    createdAt: createdAt(board.id),
    lists: lists
      .toSorted((one, other) => one.pos - other.pos)
      .map((list): SourceList => ({
        sourceId: list.id,
        name: boundName("list", list, 255, "Untitled list", lose),
        isArchived: list.closed,
        createdAt: createdAt(list.id),
      })),
    labels: [...labels.values()].map((label): SourceLabel => {
      const colour = colours.get(String(label.color));
      if (colour === undefined && (label.color ?? null) !== null) {
        const reason = "Its colour is none of Trello's.";
        lose({
          kind: "label",
          sourceId: label.id,
          name: nameOf(label.name) ?? undefined,
          partly: true,
          reason,
        });
      }
      // That a label has no name is usual: it goes by its colour.
      const called = nameOf(label.name) ?? colour?.name ?? "No colour";
      return {
        sourceId: label.id,
        name: boundName("label", { id: label.id, name: called }, 36, "", lose),
        colourCode: colour?.colourCode ?? null,
      };
    }),
  };
}
