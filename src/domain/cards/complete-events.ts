import { catalog, hasTarget, type EventType } from "../../contract/events.ts";
import type { PendingEvent } from "../../kernel/events/pending-event.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { raiseVersions, readCardStates, type CardChange } from "./states.ts";

/** The events of operations that write the card's row: the row has the version of one of them. */
const ofRowWrites: ReadonlySet<EventType> = new Set([
  "card.created",
  "card.updated",
  "card.moved",
  "card.archived",
  "card.unarchived",
  "card.completed",
  "card.deleted",
  "card.restored",
]);

/**
 * Adds the state of cards to the pending events that are about them.
 *
 * Each event has a version of its own: the card's version rises with every event.
 */
export async function completeEvents(tx: UnitOfWork): Promise<void> {
  const byCard = new Map<string, PendingEvent[]>();
  for (const event of tx.pendingEvents) {
    const id = publicIdOf(event.data["card"]);
    if (id !== undefined) byCard.set(id, [...(byCard.get(id) ?? []), event]);
  }
  if (byCard.size === 0) return;
  const more = [...byCard].map(([publicId, events]) => ({
    publicId,
    versions: events.length - (events.some(({ type }) => ofRowWrites.has(type)) ? 1 : 0),
  }));
  const unknown = more.filter(({ publicId }) => !tx.cardStates.has(publicId));
  const read = unknown.length === 0 ? [] : await readCardStates(tx.query, unknown);
  for (const state of [...read, ...knownStates(tx, more)]) {
    const events = byCard.get(state.publicId) ?? [];
    for (const [nth, event] of events.entries()) {
      const card = { ...state, version: state.version - events.length + 1 + nth };
      event.data = dataOf(event, card);
    }
  }
  tx.updateVersion();
}

/** The states that the handler knows, after their versions have risen. */
function knownStates(tx: UnitOfWork, changes: CardChange[]): State[] {
  const known = changes.filter(({ publicId }) => tx.cardStates.has(publicId));
  const risen = known.filter(({ versions }) => versions > 0);
  if (risen.length > 0) tx.send(raiseVersions(risen));
  return known.flatMap(({ publicId, versions }) => {
    const state = tx.cardStates.get(publicId);
    return state === undefined ? [] : [{ ...state, version: state.version + versions }];
  });
}

type State = Awaited<ReturnType<typeof readCardStates>>[number];

function dataOf({ type, data }: PendingEvent, card: State) {
  const { listPublicId, index } = card;
  const to = { listPublicId, boardPublicId: publicIdOf(data["board"]), index };
  return catalog[type].data.parse({ ...data, card, ...(hasTarget(type) ? { to } : {}) });
}

function publicIdOf(value: unknown): string | undefined {
  const id = typeof value === "object" && value !== null && "publicId" in value && value.publicId;
  return typeof id === "string" ? id : undefined;
}
