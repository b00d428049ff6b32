import type { EventType } from "../contract/events.ts";
import type { Changes } from "../kernel/events/pending-event.ts";

/**
 * The event types that report one field: when it becomes true, and when it becomes false.
 *
 * `oldName` is the field's deprecated name, which the event shows too.
 */
type OwnEvents<Type> = Readonly<Record<string, { true?: Type; false?: Type; oldName?: string }>>;

/** Divides the changes of a row into those with an event type of their own, and the others. */
export function divideChanges<Type extends EventType>(changes: Changes, own: OwnEvents<Type>) {
  const others = new Map(Object.entries(changes));
  const events: [Type, Changes][] = [];
  for (const [field, types] of Object.entries(own)) {
    const change = changes[field];
    if (change === undefined) continue;
    const type = change.to === true ? types.true : types.false;
    if (type === undefined) continue;
    const names = [field, types.oldName ?? []].flat();
    for (const name of names) others.delete(name);
    events.push([type, Object.fromEntries(names.map((name) => [name, change]))]);
  }
  return { others: others.size > 0 ? Object.fromEntries(others) : null, events };
}

/** The versions of a resource for its events: the last of `count` events has the final version. */
export function versionsOf<View extends { version: number }>(view: View, count: number) {
  let version = view.version - count;
  return (): View => ({ ...view, version: ++version });
}
