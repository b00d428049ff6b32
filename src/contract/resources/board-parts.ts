import { tablesOf, type AnyPart, type PartTable } from "../fields/part.ts";
import { cardParts } from "./card-parts.ts";
import { customFieldsOnBoard } from "./custom-fields.ts";
import { labelsOnBoard } from "./labels.ts";
import { listsOnBoard } from "./lists.ts";

/** What hangs on a board: whoever shows, copies, moves, exports or purges boards walks over it. */
export const boardParts = {
  labels: labelsOnBoard,
  fields: customFieldsOnBoard,
  lists: listsOnBoard,
} as const satisfies Readonly<Record<string, AnyPart>>;

type Parent = NonNullable<PartTable["parent"]>;
const boards: Parent = { table: "boards", column: "boardId" };
const cards: Parent = { table: "cards", column: "cardId" };
const parents = new Map<string, Parent>([
  ...tablesOf(boardParts).map(([name, { parent = boards }]) => [name, parent] as const),
  [cards.table, boards],
  ...tablesOf(cardParts).map(([name, { parent = cards }]) => [name, parent] as const),
]);

/** The parent of a table with what hangs on boards or cards, and the column that names it. */
export const parentOf = (table: string): Parent => parents.get(table) ?? boards;
