import { subjectOf } from "../../contract/event-data.ts";
import type { PendingEvent } from "./pending-event.ts";

/**
 * The version in the ETag: the one that the handler sets, or that of the main event's resource.
 *
 * It is the target's when there are events of several such resources, or of no resource.
 */
export class ResponseVersion {
  /** The version of the call's target. */
  target: number | undefined;
  /** The version that the handler sets. */
  given: number | undefined;
  #ofMain: number | undefined;
  #isOfMany = false;

  get value(): number | undefined {
    const ofEvents = this.#isOfMany ? undefined : this.#ofMain;
    return this.given ?? ofEvents ?? this.target;
  }

  /** Records the version of the main event's resource. */
  recordMain(version: number | undefined): void {
    this.#ofMain = version ?? this.#ofMain;
  }

  /** Records the version that an event shows. */
  recordFrom(event: PendingEvent, main: PendingEvent): void {
    const subject = subjectIn(event);
    if (subject === undefined) return;
    if (subject.id === subjectIn(main)?.id) this.recordMain(subject.version);
    else if (subjectOf(event.type) === subjectOf(main.type)) this.#isOfMany = true;
  }
}

/** The id and version of an event's main resource. */
function subjectIn({ type, data }: PendingEvent) {
  const subject = data[subjectOf(type)];
  if (typeof subject !== "object" || subject === null || !("publicId" in subject)) return undefined;
  const version = "version" in subject ? Number(subject.version) : undefined;
  return { id: subject.publicId, version };
}
