import { setImmediate } from "node:timers/promises";
import { hasTarget } from "../../contract/event-data.ts";
import { catalog, type EventType } from "../../contract/events.ts";
import { isBetweenCards } from "../../contract/vocabulary/between-cards.ts";
import type { PendingEvent } from "../../kernel/events/pending-event.ts";
import type { CompletePart, UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { checkEnteredLists } from "../list-limits.ts";
import {
  readEventPayloads,
  type CardChange,
  type Changed,
  type EventPayload,
} from "./event-payloads.ts";
import { checkOpenWork } from "../related/open-work.ts";
import { partsChangedBy } from "../parts/kept.ts";
import { partsOn, shownParts } from "./parts-sql.ts";
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

/** How many events are completed before other calls are served. */
const slice = 100;

/** By how much the version of a card rises, the number of its events, and of the completed ones. */
type Change = CardChange & { events: number; completed: number };
type Changes = ReadonlyMap<string, Change>;

/**
 * Adds the state of cards to the pending events that are about them, a part of the events at a time.
 *
 * Each event has a version of its own: the card's version rises with every event but those
 * about two cards, of which readers who do not see the other card must not know.
 */
export function completeEvents(tx: UnitOfWork): CompletePart {
  const changes = changesOf(tx.pendingEvents);
  const risen = new Set<string>();
  return async (events) => {
    const ids = new Set(events.map((event) => cardOf(event) ?? ""));
    const concerned = [...ids].flatMap((publicId) => {
      const { versions, isNew } = changes.get(publicId) ?? {};
      if (versions === undefined || isNew === undefined) return [];
      return { publicId, versions: risen.has(publicId) ? 0 : versions, isNew };
    });
    for (const { publicId } of concerned) risen.add(publicId);
    const payloads =
      concerned.length === 0
        ? []
        : await readEventPayloads(tx, concerned, changedOf(tx, events, concerned));
    await complete(tx, events, changes, payloads);
  };
}

/** The changes of cards that events are about. */
function changesOf(events: readonly PendingEvent[]): Changes {
  const changes = new Map<string, Change>();
  const ofRows = new Set<string>();
  for (const event of events) {
    const publicId = cardOf(event);
    if (publicId === undefined || event.isComplete) continue;
    const noChange = () => ({ publicId, versions: 0, isNew: false, events: 0, completed: 0 });
    const change = getOrInsert(changes, publicId, noChange);
    if (!isBetweenCards(event.type)) change.events++;
    if (event.type === "card.created") change.isNew = true;
    if (ofRowWrites.has(event.type)) ofRows.add(publicId);
  }
  for (const change of changes.values()) {
    change.versions = change.events - (ofRows.has(change.publicId) ? 1 : 0);
  }
  return changes;
}

/** What some events change on their cards; a locked target says what else is on it. */
function changedOf(
  { locked: { card } }: UnitOfWork,
  events: readonly PendingEvent[],
  concerned: readonly CardChange[],
): Changed {
  const parts = new Set(events.flatMap(partsChangedBy));
  const isTarget = concerned.length === 1 && concerned[0]?.publicId === card?.["publicId"];
  if (card === undefined || !isTarget) return { parts, read: shownParts, mayBeClaimed: true };
  const isClaim = events.some(({ type }) => type.startsWith("card.claim"));
  return {
    parts,
    read: partsOn(card, parts),
    mayBeClaimed: card["claimedById"] !== null || isClaim,
  };
}

/** Sets the data of events, in their order, and checks the limits of lists that cards entered. */
async function complete(
  tx: UnitOfWork,
  events: readonly PendingEvent[],
  changes: Changes,
  payloads: readonly EventPayload[],
): Promise<void> {
  const byId = new Map(payloads.map((payload) => [payload.publicId, payload]));
  for (const [nth, event] of events.entries()) {
    if (nth % slice === slice - 1) await setImmediate();
    const publicId = cardOf(event) ?? "";
    const [change, state] = [changes.get(publicId), byId.get(publicId)];
    if (change === undefined || state === undefined || event.isComplete) continue;
    if (!isBetweenCards(event.type)) change.completed++;
    const version = state.version - change.events + change.completed;
    event.data = dataOf(event, { ...state, version });
    event.watched = state.watched;
  }
  const limited = payloads.filter(({ listLimit }) => listLimit !== null);
  await checkEnteredLists(tx, events, limited);
  await checkOpenWork(tx, events, payloads);
}

function dataOf({ type, data }: PendingEvent, card: EventPayload) {
  const { listPublicId, index } = card;
  const to = { listPublicId, boardPublicId: publicIdOf(data["board"]), index };
  return catalog[type].data.parse({ ...data, card, ...(hasTarget(type) ? { to } : {}) });
}

const cardOf = (event: PendingEvent | undefined) => publicIdOf(event?.data["card"]);

function publicIdOf(value: unknown): string | undefined {
  const id = typeof value === "object" && value !== null && "publicId" in value && value.publicId;
  return typeof id === "string" ? id : undefined;
}
