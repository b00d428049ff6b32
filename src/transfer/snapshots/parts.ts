import { cardParts } from "../../domain/parts/card.ts";
import type { OnCard } from "../../domain/parts/rows-sql.ts";
import { pagesOn, wholePages } from "../exports/pages.ts";
import type { SnapshotWriter } from "./snapshot-writer.ts";

type Card = { id: bigint; publicId: string };

/** The parts of cards that have lines of their own. */
const parts = Object.entries(cardParts).flatMap(([name, { exported }]) =>
  "rows" in exported ? [{ name, ...exported.rows }] : [],
);

/** Writes the lines of the selected parts of cards: of each kind, card by card. */
export async function* cardPartLines(
  { query, source, lines }: SnapshotWriter,
  cards: Card[],
): AsyncGenerator<string> {
  const context = {
    query,
    workspaceId: source.workspace.id,
    api: source.api,
    cardOf: ({ nth }: OnCard) => cards[Number(nth) - 1]?.publicId ?? "",
  };
  const ids = cards.map(({ id }) => id);
  for (const { name, kind, statement, start, groupOf, ...part } of parts) {
    if (source.parts[name] !== true || !lines.shows(kind)) continue;
    const pages = pagesOn(query, statement, ids, start);
    const whole = groupOf === undefined ? pages : wholePages(pages, groupOf);
    for await (const rows of whole) yield lines.write(kind, await part.lines(rows, context));
  }
}
