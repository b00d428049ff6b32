import { membershipsIn, type CallerMembership } from "../../kernel/access/memberships.ts";
import { withCurrentNames } from "../../kernel/events/current-names.ts";
import { matchesFilter } from "../../kernel/events/filter.ts";
import type { LogReader } from "../../kernel/events/log-sql.ts";
import { readerOf, readPage } from "../../kernel/events/page.ts";
import { findAccess } from "../../kernel/events/redact.ts";
import type { StreamItem } from "../../contract/event-envelope.ts";
import { Failure, notFound } from "../../platform/errors.ts";
import type { Listener, LogDeps } from "./log-tail.ts";
import type { NewEvents, Presenter } from "./presenter.ts";
import { RenderedEvent } from "./rendered-event.ts";

/** The events of a page are redacted: nothing more decides who sees them. */
const noAccess = { boards: new Map(), starters: new Map() };

/** Shows the events of workspaces to their members. */
export const workspacePresenter = (deps: LogDeps): Presenter<StreamItem> => ({
  of: "workspace",
  turnOf: ({ id }) => `workspace ${id}`,
  async send(events) {
    for (const each of events) await sendTo(deps, each);
  },
  async readPage({ owner, cursors }, reader, range) {
    const { rows, end, at } = await readPage(deps, owner.id, reader, range);
    const items = rows.map((row) => new RenderedEvent(row, noAccess, owner.publicId, cursors));
    return { items, end, at };
  },
});

// Permissions, boards and names are read after the events: they are never older than those.
async function sendTo(deps: LogDeps, { tail, rows }: NewEvents<StreamItem>) {
  const { db } = deps;
  const { owner, cursors } = tail;
  const listeners = [...tail.listeners];
  const [first] = listeners;
  if (first === undefined) return;
  const credentials = listeners.map(({ reader }) => reader.credential);
  // All listeners use the same operation.
  const { operation } = first.reader;
  const membershipOf = await membershipsIn(db.read, owner.id, operation, credentials, deps);
  const access = await findAccess(db.read, rows);
  const named = await withCurrentNames(db.read, owner.id, rows);
  const events = named.map((row) => new RenderedEvent(row, access, owner.publicId, cursors));
  for (const listener of listeners) {
    const membership = membershipOf(listener.reader.credential);
    if (membership instanceof Failure) listener.refuse(membership);
    else sendVisible(listener, events, membership);
  }
}

function sendVisible(
  listener: Listener<StreamItem>,
  events: RenderedEvent[],
  membership: CallerMembership,
): void {
  if (!listener.isFull) listener.receive(visibleTo(listener.reader, events, membership));
  if (membership.isDeleted) listener.end(notFound("workspace"));
}

function visibleTo({ filter }: LogReader, events: RenderedEvent[], membership: CallerMembership) {
  const reader = readerOf(membership);
  return events.flatMap((event) => {
    if (!matchesFilter(event.row, filter)) return [];
    const visible = event.visibleTo(reader);
    // Redaction can move the event to a board that the filter excludes.
    return visible === null || !matchesFilter(visible.row, filter) ? [] : [visible];
  });
}
