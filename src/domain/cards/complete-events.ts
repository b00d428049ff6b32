import { setImmediate } from "node:timers/promises";
import { hasTarget } from "../../contract/event-data.ts";
import { catalog, type EventType } from "../../contract/events.ts";
import type { PendingEvent } from "../../kernel/events/pending-event.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { checkEnteredLists } from "../list-limits.ts";
import { raiseVersions, readCardStates, type CardChange, type State } from "./states.ts";
import { getOrInsert } from "../../platform/maps.ts";

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

/** How many events are completed by one statement. */
const part = 1_000;
/** How many events are completed before other calls are served. */
const slice = 100;

/** By how much the version of a card rises, the number of its events, and of the completed ones. */
type Change = CardChange & { events: number; completed: number };
type Changes = ReadonlyMap<string, Change>;

/**
 * Adds the state of cards to the pending events that are about them.
 *
 * Each event has a version of its own: the card's version rises with every event. Of many events,
 * the later ones are completed when they are written, so that memory does not hold all states.
 */
export async function completeEvents(tx: UnitOfWork): Promise<void> {
  const changes = changesOf(tx.pendingEvents);
  if (changes.size === 0) return checkEnteredLists(tx, tx.pendingEvents);
  const isLarge = tx.pendingEvents.length > part;
  if (!isLarge) {
    const states = byId(await readCardStates(tx.query, [...changes.values()]));
    await complete(tx, tx.pendingEvents, changes, states);
    return tx.updateVersion();
  }
  await tx.query(raiseVersions([...changes.values()]));
  const completePart = async (events: PendingEvent[]) => {
    const states = await raisedStates(tx, changes, events);
    await complete(tx, events, changes, states);
    return states;
  };
  const firstPart = tx.pendingEvents.slice(0, part);
  const states = await completePart(firstPart);
  const main = tx.mainEvent;
  if (main !== undefined) {
    // It may come after the first thousand: events of labels precede it.
    const mainStates = firstPart.includes(main) ? states : await raisedStates(tx, changes, [main]);
    tx.answered.recordMain(mainStates.get(cardOf(main) ?? "")?.version);
  }
  const isCompleted = new Set(firstPart);
  tx.completeLater = async (events) => {
    await completePart(events.filter((event) => !isCompleted.has(event)));
  };
}

/** The changes of cards that events are about. */
function changesOf(events: readonly PendingEvent[]): Changes {
  const changes = new Map<string, Change>();
  const ofRows = new Set<string>();
  for (const event of events) {
    const publicId = cardOf(event);
    if (publicId === undefined || event.isComplete) continue;
    const noChange = () => ({ publicId, versions: 0, events: 0, completed: 0 });
    const change = getOrInsert(changes, publicId, noChange);
    change.events++;
    if (ofRowWrites.has(event.type)) ofRows.add(publicId);
  }
  for (const change of changes.values()) {
    change.versions = change.events - (ofRows.has(change.publicId) ? 1 : 0);
  }
  return changes;
}

/** Sets the data of events, in their order, and checks the limits of lists that cards entered. */
async function complete(
  tx: UnitOfWork,
  events: readonly PendingEvent[],
  changes: Changes,
  states: ReadonlyMap<string, State>,
): Promise<void> {
  for (const [nth, event] of events.entries()) {
    if (nth % slice === slice - 1) await setImmediate();
    const publicId = cardOf(event) ?? "";
    const [change, state] = [changes.get(publicId), states.get(publicId)];
    if (change === undefined || state === undefined || event.isComplete) continue;
    const version = state.version - change.events + 1 + change.completed++;
    event.data = dataOf(event, { ...state, version });
    event.isWatched = state.isWatched;
  }
  const limited = [...states.values()].filter(({ listLimit }) => listLimit !== null);
  await checkEnteredLists(tx, events, limited);
}

/** The states of the cards of some events, whose versions have risen. */
async function raisedStates(tx: UnitOfWork, changes: Changes, events: readonly PendingEvent[]) {
  const ids = new Set(events.map((event) => cardOf(event) ?? ""));
  const risen = [...ids].flatMap((publicId) =>
    changes.has(publicId) ? [{ publicId, versions: 0 }] : [],
  );
  return byId(await readCardStates(tx.query, risen));
}

const byId = (states: State[]) => new Map(states.map((state) => [state.publicId, state]));

function dataOf({ type, data }: PendingEvent, card: State) {
  const { listPublicId, index } = card;
  const to = { listPublicId, boardPublicId: publicIdOf(data["board"]), index };
  return catalog[type].data.parse({ ...data, card, ...(hasTarget(type) ? { to } : {}) });
}

const cardOf = (event: PendingEvent | undefined) => publicIdOf(event?.data["card"]);

function publicIdOf(value: unknown): string | undefined {
  const id = typeof value === "object" && value !== null && "publicId" in value && value.publicId;
  return typeof id === "string" ? id : undefined;
}
