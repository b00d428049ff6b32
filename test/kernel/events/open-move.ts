import { showCard } from "../../../src/domain/presenters/cards.ts";
import { actorOf } from "../../../src/kernel/events/actor.ts";
import { persistEvents } from "../../../src/kernel/events/persist.ts";
import { runInTransaction } from "../../../src/kernel/events/transaction.ts";
import type { UnitOfWork } from "../../../src/kernel/events/unit-of-work.ts";
import { moveRow } from "../../../src/kernel/positions.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import type { App } from "../../support/app.ts";
import { gate } from "../../support/gate.ts";

type Tx = UnitOfWork<"card.moved">;

/**
 * Opens a transaction that locks a card, as the first step of a move does.
 *
 * `emit` locks the target list, moves the card to its end and writes the event.
 */
export async function moving({ deps, db }: App, cardPublicId: string, listPublicId: string) {
  const card = await db.reader.card.findUniqueOrThrow({
    where: { publicId: cardPublicId },
    include: { list: { include: { board: true, workspace: true } } },
  });
  const list = await db.reader.list.findUniqueOrThrow({ where: { publicId: listPublicId } });
  const { list: from } = card;
  const { board } = from;
  const [locked, end] = [gate(), gate()];
  let tx: Tx | undefined;
  const done = runInTransaction<"card.moved", void>(deps, ["card.moved"], async (own) => {
    tx = own;
    own.workspaceId = card.workspaceId;
    await own.lock("cards", [card.id]);
    locked.open();
    await end.opened;
  });
  await Promise.race([locked.opened, done]);
  const emit = async () => {
    if (tx === undefined) throw new Error("The transaction is not open.");
    const set = sql`, "listId" = ${list.id}, version = version + 1`;
    const moved = await moveRow(tx, "card", card, list.id, {}, set);
    const spot = { boardPublicId: board.publicId, listPublicId };
    tx.emit("card.moved", {
      card: showCard(card, from.workspace.cardPrefix),
      list: { publicId: list.publicId, name: list.name },
      board: { publicId: board.publicId, name: board.name },
      from: { ...spot, listPublicId: from.publicId, index: 0 },
      to: { ...spot, index: moved?.to ?? 0 },
    });
    const last = await persistEvents(tx, actorOf(null), null);
    // `persistEvents` only sends the events.
    await last?.position;
    tx.pendingEvents.splice(0);
  };
  const commit = async () => {
    end.open();
    await done;
  };
  return { emit, commit };
}
