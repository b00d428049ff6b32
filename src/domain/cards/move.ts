import type { Caller } from "../../kernel/access/callers.ts";
import type { Membership } from "../../kernel/access/authorize.ts";
import { findAccessibleList, type AccessibleList } from "../../kernel/access/accessible-list.ts";
import type { TargetResources } from "../../kernel/access/resources.ts";
import { positionAt } from "../../kernel/positions.ts";
import { checkCardLimit } from "../../kernel/limits.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import { placeOf } from "./position.ts";
import { remapLabels } from "./remap-labels.ts";
import { sql } from "../../platform/db/sql.ts";

type Moving = TargetResources<"card"> & {
  caller: Caller;
  membership: Membership;
  tx: UnitOfWork<"label.created" | "card.moved">;
};
type Wanted = Parameters<typeof placeOf>[0] & { listPublicId?: string | undefined };

/** A move that has been thought through: what to write, and what to tell of it. */
type Move = {
  to: { listId: bigint; boardId: bigint; position: string };
  list: Pick<AccessibleList, "publicId" | "name">;
  board: AccessibleList["board"];
  /** Gives the card the new board's labels in place of the old one's; makes those that are not there. */
  relabel(): Promise<void>;
  spots(): Promise<{ from: Spot; to: Spot & { index: number } }>;
};
type Spot = { listPublicId: string; boardPublicId: string };

/** Finds the place that an input asks for, with the target list locked; null when the card is there already. */
export async function findPlace(ctx: Moving, input: Wanted): Promise<Move | null> {
  const { card, tx } = ctx;
  const place = placeOf(input);
  const elsewhere = input.listPublicId !== undefined && input.listPublicId !== ctx.list.publicId;
  if (place === undefined && !elsewhere) return null;
  const list = elsewhere
    ? await findAccessibleList(tx.query, input.listPublicId ?? "", ctx)
    : { ...ctx.list, board: ctx.board };
  if ((await tx.lock("lists", [list.id])).length === 0) throw notFound("list");
  if (list.board.id !== ctx.board.id) await checkCardLimit(tx, ctx.workspace, list.board.id);
  const position = await positionAt(
    tx.query,
    "card",
    list.id,
    place ?? {},
    elsewhere ? null : card,
  );
  if (!elsewhere && position === card.position) return null;
  return {
    to: { listId: list.id, boardId: list.board.id, position },
    list,
    board: list.board,
    relabel: () =>
      list.board.id === ctx.board.id ? Promise.resolve() : remapLabels(ctx, [card.id], list.board),
    async spots() {
      const [at] = await tx.query<{ index: bigint }>(
        sql`SELECT count(*) AS index FROM cards WHERE "listId" = ${list.id} AND "deletedAt" IS NULL
          AND "archivedAt" IS NULL AND position < ${position}`,
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
