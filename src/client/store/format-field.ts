import { isWholeDay } from "../../contract/vocabulary/whole-days.ts";
import { askerOf } from "./askers.ts";
import type { BoardView, CardDetail, CardView } from "./types.ts";

type Named = { publicId: string; name: string };
type Field = BoardView["fields"][number];

/** How `formatField` writes values. */
export type FormatOptions = {
  /** The language of numbers and dates, such as `de` (that of the browser or process). */
  locale?: string;
  /** The time zone of dates (that of the user, or else of the workspace). */
  timeZone?: string;
  /** Members by whom to name values (those on the cards of the board). */
  members?: readonly Named[];
  /** What a checked and an unchecked box say (`Yes` and `No`). */
  checked?: readonly [yes: string, no: string];
};

/** The members that the cards of a board show. */
const membersOn = ({ lists }: BoardView): Named[] =>
  lists.flatMap(({ cards }) =>
    cards.flatMap(({ members, claim }) => [...members, ...(claim ? [claim.member] : [])]),
  );

const nameIn = (items: readonly Named[], id: unknown) =>
  items.find(({ publicId }) => publicId === id)?.name ?? "";

/**
 * The value of a custom field of a card as a text, with names instead of ids; empty without a value.
 *
 * `field` is one of the board, or its public id. A card of `store.card` has all values.
 */
export function formatField(
  board: BoardView,
  card: Pick<CardView | CardDetail, "fields">,
  field: string | Field,
  { locale, timeZone, members, checked = ["Yes", "No"] }: FormatOptions = {},
): string {
  const id = typeof field === "string" ? field : field.publicId;
  const definition = board.fields.find(({ publicId }) => publicId === id);
  const value = card.fields[id];
  if (definition === undefined || value === undefined || value === null) return "";
  const { type, unit, options } = definition;
  switch (type) {
    case "number": {
      const digits = { maximumFractionDigits: 20 };
      const number = new Intl.NumberFormat(locale, digits).format(Number(value));
      return unit === null || unit === "" ? number : `${number} ${unit}`;
    }
    case "date": {
      const asked = timeZone ?? askerOf(board)?.timeZone ?? "UTC";
      // A whole day is the same day everywhere.
      const zone = isWholeDay(value) ? "UTC" : asked;
      const style = { dateStyle: "medium", timeZone: zone } as const;
      return new Intl.DateTimeFormat(locale, style).format(new Date(String(value)));
    }
    case "checkbox":
      return value === true ? checked[0] : checked[1];
    case "select":
    case "multiSelect":
      return [value]
        .flat()
        .map((option) => nameIn(options, option))
        .filter((name) => name !== "")
        .join(", ");
    case "member":
      return nameIn(members ?? membersOn(board), value);
    default:
      return String(value);
  }
}
