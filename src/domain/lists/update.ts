import { z } from "zod";
import { updateShape, ownEvents } from "../../contract/fields/field.ts";
import { listFields } from "../../contract/fields/list.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { changesBetween } from "../../kernel/events/changes.ts";
import { updateRow } from "../../platform/db/write.ts";
import { rest } from "../../kernel/request/rest.ts";
import { divideChanges, versionsOf } from "../divide-changes.ts";
import { storedIn } from "../declared-fields.ts";
import { moveRow, readIndex } from "../../kernel/positions.ts";
import { listPlacement, placementOf, singlePlacement } from "../placement.ts";
import { listDetail } from "./detail.ts";
import { ListWithCount } from "../../contract/resources/lists.ts";
import { showList } from "../presenters/lists.ts";
import type { EventData } from "../../contract/event-data.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { List } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { summariesOf } from "../cards/summaries.ts";

const Update = z
  .strictObject({
    ...updateShape(listFields, "update"),
    ...listPlacement,
  })
  .refine(...singlePlacement("List"));

const toColumns = storedIn(listFields, "update");

/** Changes the given fields of a list, and moves it on its board. */
export const updateList = mutation("list.update", Update)
  .meta(
    rest("Lists").put(
      "/lists/{listPublicId}",
      "Update or move a list",
      "Changes the given fields of a list, or moves it on its board. `null` clears `wipLimit`, " +
        "which may be lower than the number of cards. " +
        "To move it, set one of `index`, `beforeListPublicId` and `afterListPublicId`. Returns " +
        "409 if the board is full (archived lists have a limit of their own), and if an archived " +
        "list that comes back exceeds its `wipLimit` with `wipMode: block`.",
    ),
  )
  .output(ListWithCount)
  .mutation(async ({ ctx: { list, board, tx }, input }) => {
    const fields = toColumns(input, list, tx.now);
    const isArchived = fields.archivedAt !== null;
    if (input.isArchived !== undefined && isArchived !== (list.archivedAt !== null)) {
      await checkLimit(tx, isArchived ? "archived_lists" : "lists", board.id);
    }
    const move = await moveRow(tx, "list", list, board.id, placementOf(input));
    const before = showList(list);
    const { others, events } = divideChanges(
      changesBetween(before, showList({ ...list, ...fields })),
      ownEvents(listFields),
    );
    const count = Number(others !== null) + Number(move !== null) + events.length;
    if (count === 0) return listDetail(tx.query, list, board);
    const after = updateRow(tx, "lists", list, { ...fields, updatedAt: tx.now }, count);
    const next = versionsOf(showList(after), count);
    if (others !== null) tx.emit("list.updated", { list: next(), board }, others);
    if (move !== null) {
      const spots = { from: { index: move.from }, to: { index: move.to } };
      tx.emit("list.moved", { list: next(), board, ...spots });
    }
    for (const [type, change] of events) {
      const data = { list: next(), board };
      if (type === "list.archived") tx.emit(type, data, change);
      else tx.emit(type, { ...data, ...(await listState(tx, after)) }, change);
    }
    return listDetail(tx.query, after, board);
  });

/** More cards do not fit into an event. */
const maxCards = 200;

const cardsOf = (listId: bigint) => sql`SELECT id FROM cards
  WHERE "listId" = ${listId} AND "deletedAt" IS NULL AND "archivedAt" IS NULL
  ORDER BY position LIMIT ${sql.number(maxCards)}`;

/** The state of a restored or unarchived list, for its event: its index and its cards. */
export async function listState(
  tx: UnitOfWork,
  list: List,
): Promise<Pick<EventData<"list.restored">, "to" | "cards">> {
  const ids = (await tx.query<{ id: bigint }>(cardsOf(list.id))).map(({ id }) => id);
  const index = await readIndex(tx.query, "list", list.id);
  return { to: { index }, cards: await summariesOf(tx.query, ids) };
}
