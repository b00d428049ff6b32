import type { Caller } from "../../kernel/access/callers.ts";
import type { Standing } from "../../kernel/access/authorize.ts";
import { reachList, type ReachedList } from "../../kernel/access/accessible-list.ts";
import type { Located } from "../../kernel/access/resources.ts";
import { keyFor } from "../../kernel/positions.ts";
import { checkCards } from "../../kernel/limits.ts";
import type { Work } from "../../kernel/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import { placeOf } from "./position.ts";
import { relabel } from "./remap-labels.ts";

type Moving = Located<"card"> & {
  caller: Caller;
  standing: Standing;
  work: Work<"label.created" | "card.moved">;
};
type Wanted = Parameters<typeof placeOf>[0] & { listPublicId?: string | undefined };

/** A move that has been thought through: what to write, and what to tell of it. */
type Move = {
  to: { listId: bigint; boardId: bigint; position: string };
  list: Pick<ReachedList, "publicId" | "name">;
  board: ReachedList["board"];
  /** Gives the card the new board's labels in place of the old one's; makes those that are not there. */
  relabel(): Promise<void>;
  spots(): Promise<{ from: Spot; to: Spot & { index: number } }>;
};
type Spot = { listPublicId: string; boardPublicId: string };

/** Finds the place that an input asks for, with the target list locked; null when the card is there already. */
export async function findPlace(ctx: Moving, input: Wanted): Promise<Move | null> {
  const { card, work } = ctx;
  const place = placeOf(input);
  const elsewhere = input.listPublicId !== undefined && input.listPublicId !== ctx.list.publicId;
  if (place === undefined && !elsewhere) return null;
  const list = elsewhere
    ? await reachList(work.query, input.listPublicId ?? "", ctx)
    : { ...ctx.list, board: ctx.board };
  if ((await work.lock("lists", [list.id])).length === 0) throw notFound("list");
  if (list.board.id !== ctx.board.id) await checkCards(work, ctx.workspace, list.board.id);
  const position = await keyFor(work.query, "card", list.id, place ?? {}, elsewhere ? null : card);
  if (!elsewhere && position === card.position) return null;
  return {
    to: { listId: list.id, boardId: list.board.id, position },
    list,
    board: list.board,
    relabel: () =>
      list.board.id === ctx.board.id ? Promise.resolve() : relabel(ctx, [card.id], list.board),
    async spots() {
      const [at] = await work.query<{ index: bigint }>(
        `SELECT count(*) AS index FROM cards WHERE "listId" = $1 AND "deletedAt" IS NULL AND "archivedAt" IS NULL AND position < $2`,
        [list.id, position],
      );
      return {
        from: { listPublicId: ctx.list.publicId, boardPublicId: ctx.board.publicId },
        to: {
          listPublicId: list.publicId,
          boardPublicId: list.board.publicId,
          index: Number(at?.index ?? 0),
        },
      };
    },
  };
}
