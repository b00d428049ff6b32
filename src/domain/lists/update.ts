import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changesBetween, present } from "../../kernel/events/changes.ts";
import { positionAt } from "../../kernel/positions.ts";
import { name } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import {
  indexOfList,
  listPlace,
  oneListPlace,
  oneListPlaceFault,
  placeOfList,
} from "./position.ts";
import { ListInfo } from "../../contract/resources/lists.ts";
import { viewList } from "../views/lists.ts";

const Update = z
  .strictObject({
    name: name(1, 255).optional(),
    wipLimit: z.int().min(1).max(1000).nullable().optional(),
    isArchived: z.boolean().optional(),
    ...listPlace,
  })
  .refine(oneListPlace, oneListPlaceFault);

/** Changes a list's fields that are given, and its place on the board. */
export const updateList = mutation("list.update", Update)
  .meta(
    rest("Lists").put(
      "/lists/{listPublicId}",
      "Change or move a list",
      "Changes the fields that are given. A place is an `index`, or before or after another list of the board.",
    ),
  )
  .output(ListInfo)
  .mutation(async ({ ctx: { list, board, tx }, input }) => {
    const { isArchived } = input;
    const fields = present({
      name: input.name,
      wipLimit: input.wipLimit,
      archivedAt:
        isArchived === undefined ? undefined : isArchived ? (list.archivedAt ?? tx.now) : null,
    });
    const place = placeOfList(input);
    if (place !== undefined) await tx.lock("boards", [board.id]);
    // Asked before `keyFor`, which may give all lists new keys.
    const from = {
      index: place === undefined ? 0 : await indexOfList(tx.query, board.id, list.position),
    };
    const position =
      place === undefined
        ? list.position
        : await positionAt(tx.query, "list", board.id, place, list);
    const moved = position !== list.position;
    const { isArchived: archiving, ...others } = changesBetween(
      viewList(list),
      viewList({ ...list, ...fields }),
    );
    const archived = archiving?.to === true ? { isArchived: archiving } : undefined;
    const updated = { ...others, ...(archiving?.to === false ? { isArchived: archiving } : {}) };
    const hasUpdate = Object.keys(updated).length > 0;
    if (!moved && archived === undefined && !hasUpdate) return viewList(list);

    const after = await tx.prisma.list.update({
      where: { id: list.id },
      data: { ...fields, position, version: { increment: 1 }, updatedAt: tx.now },
    });
    const told = { list: viewList(after), board };
    if (hasUpdate) tx.emit("list.updated", told, updated);
    if (moved) {
      const to = { index: await indexOfList(tx.query, board.id, position) };
      tx.emit("list.moved", { ...told, from, to });
    }
    if (archived !== undefined) tx.emit("list.archived", told, archived);
    return told.list;
  });
