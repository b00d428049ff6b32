import { z } from "zod";
import { momentOf } from "../../../platform/foreign-text.ts";
import { SourceId } from "../../integrations/shapes.ts";

const Target = z
  .looseObject({ id: SourceId, closed: z.boolean().optional(), state: z.string().optional() })
  .optional()
  .catch(undefined);
const Action = z.object({
  type: z.string(),
  date: z.unknown(),
  data: z.object({
    board: Target,
    list: Target,
    card: Target,
    checkItem: Target,
    old: z.record(z.string(), z.unknown()).catch({}),
  }),
});

/** The actions that say when something was archived or completed, as Trello's filter. */
export const timedActions = [
  "updateBoard",
  "updateList:closed",
  "updateCard:closed",
  "updateCheckItemStateOnCard",
];

/** No board has more of them in an export; more take memory from other requests. */
const maxTimes = 100_000;

type Kind = "board" | "list" | "card" | "dueComplete" | "checkItem";

/** The times that only the actions of a board have: when they were archived and completed. */
export class TrelloTimes {
  readonly #times = new Map<string, string>();

  /** Records the time of an action; the latest one counts. */
  note(value: unknown): void {
    const action = Action.safeParse(value).data;
    const date = momentOf(action?.date);
    if (action === undefined || date === null) return;
    const { type, data } = action;
    const { board, list, card, checkItem, old } = data;
    if (type === "updateCheckItemStateOnCard" && checkItem?.state === "complete")
      this.#set("checkItem", checkItem.id, date);
    if (type === "updateList" && list?.closed === true) this.#set("list", list.id, date);
    if (type === "updateBoard" && board?.closed === true) this.#set("board", board.id, date);
    if (type !== "updateCard" || card === undefined) return;
    if (card.closed === true && "closed" in old) this.#set("card", card.id, date);
    if (card["dueComplete"] === true && "dueComplete" in old)
      this.#set("dueComplete", card.id, date);
  }

  /** When something was last archived or completed; undefined when no action says it. */
  of(kind: Kind, id: string): string | undefined {
    return this.#times.get(`${kind} ${id}`);
  }

  #set(kind: Kind, id: string, date: string) {
    const key = `${kind} ${id}`;
    const before = this.#times.get(key);
    if (before === undefined && this.#times.size >= maxTimes) return;
    if (before === undefined || before < date) this.#times.set(key, date);
  }
}
