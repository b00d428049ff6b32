import type { Inputs } from "../router.ts";
import { timeOf } from "./fields.ts";
import type { BoardView, Entry } from "./types.ts";

/** A new board. Its lists are created with it, empty. */
export type NewBoard = Pick<
  Inputs["board"]["create"],
  "name" | "description" | "slug" | "type" | "visibility" | "publicId"
> & {
  /** The names of its lists, in order. */
  lists?: readonly string[];
};

/** Whether a change creates a board. */
export const createsBoard = ({ operation }: Pick<Entry, "operation">): boolean =>
  operation === "board.create";

/** A board as its create makes it, before the service has answered; undefined without a create. */
export function createdBoard(changes: readonly Entry[]): BoardView | undefined {
  const change = changes.find(createsBoard);
  if (change === undefined) return undefined;
  const input = change.input as Inputs["board"]["create"];
  const { name, description = null, slug = "", type = "regular", visibility = "private" } = input;
  const [createdAt, { publicId }] = [timeOf(change), change];
  return {
    publicId,
    name,
    description,
    slug,
    type,
    visibility,
    createdAt,
    updatedAt: createdAt,
    workspacePublicId: input.workspacePublicId,
    isArchived: false,
    version: 0,
    lists: [],
    labels: [],
    fields: [],
  };
}
