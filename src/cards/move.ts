import type { Caller } from "../access/locate.ts";
import type { Standing } from "../access/permit.ts";
import { reachList, type ReachedList } from "../access/reach.ts";
import type { Located } from "../access/things.ts";
import { keyFor } from "../db/order.ts";
import { publicId } from "../db/public-id.ts";
import { checkRoom, rooms } from "../db/room.ts";
import type { Label } from "../db/rows.ts";
import type { Work } from "../db/work.ts";
import { notFound } from "../errors.ts";
import { viewLabel } from "../labels/view.ts";
import { placeOf } from "./place.ts";

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
  // Fewer numbers than that have been given out in the whole workspace: no board can be full.
  if (list.board.id !== ctx.board.id && ctx.workspace.lastCardNumber >= rooms.cards.most) {
    await checkRoom(work.query, "cards", list.board.id);
  }
  const position = await keyFor(work.query, "card", list.id, place ?? {}, elsewhere ? null : card);
  if (!elsewhere && position === card.position) return null;
  return {
    to: { listId: list.id, boardId: list.board.id, position },
    list,
    board: list.board,
    relabel: () => (list.board.id === ctx.board.id ? Promise.resolve() : relabel(ctx, list.board)),
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

async function relabel({ card, caller, work }: Moving, board: ReachedList["board"]) {
  const labels = await work.tx.label.findMany({
    where: { cards: { some: { cardId: card.id } }, deletedAt: null },
    orderBy: { id: "asc" },
  });
  await work.tx.cardLabel.deleteMany({ where: { cardId: card.id } });
  if (labels.length === 0) return;
  // Two cards that arrive at the same moment must not make the same label twice.
  await work.lock("boards", [board.id]);
  const names = labels.map(({ name }) => name);
  const twins = await work.tx.label.findMany({
    where: { boardId: board.id, name: { in: names }, deletedAt: null },
    orderBy: { id: "desc" },
  });
  const carried = new Map(twins.map((label) => [look(label), label.id]));
  const missing = new Map(
    labels.filter((label) => !carried.has(look(label))).map((label) => [look(label), label]),
  );
  if (missing.size > 0) {
    await checkRoom(work.query, "labels", board.id, missing.size);
    const made = await work.tx.label.createManyAndReturn({
      data: [...missing.values()].map(({ name, colourCode, workspaceId }) => ({
        publicId: publicId(),
        workspaceId,
        boardId: board.id,
        name,
        colourCode,
        createdById: caller.userId,
        createdAt: work.now,
        updatedAt: work.now,
      })),
    });
    for (const label of made) {
      carried.set(look(label), label.id);
      work.emit("label.created", { label: viewLabel(label), board });
    }
  }
  const ids = new Set(labels.flatMap((label) => carried.get(look(label)) ?? []));
  await work.tx.cardLabel.createMany({
    data: [...ids].map((labelId) => ({
      cardId: card.id,
      labelId,
      workspaceId: card.workspaceId,
      createdAt: work.now,
    })),
  });
}

/** What makes two labels of different boards the same. */
const look = ({ name, colourCode }: Pick<Label, "name" | "colourCode">) =>
  JSON.stringify([name, colourCode?.toLowerCase()]);
