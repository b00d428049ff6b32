import { wholeData } from "../../src/kernel/events/stored-data.ts";
import type { Database } from "../../src/platform/db/database.ts";

type Reader = { db: Pick<Database, "reader"> };
type Found = Parameters<Database["reader"]["event"]["findMany"]>[0];

/** Stored events, with what was left out of their data because it is empty. */
export async function findEvents({ db }: Reader, what: Found) {
  const events = await db.reader.event.findMany(what);
  return events.map((event) => ({ ...event, data: dataOf(event) }));
}

const dataOf = ({ type, data }: { type: string; data: unknown }): any =>
  wholeData(type, data as Record<string, unknown>);
