import type { App } from "../../support/app.ts";
import { findEvents } from "../../support/events.ts";

/** The types of the events about a card, in order. */
export async function typesOn(app: App, cardPublicId: string): Promise<string[]> {
  const events = await findEvents(app, {
    where: { cardPublicId },
    orderBy: { id: "asc" },
  });
  return events.map(({ type }) => type);
}
