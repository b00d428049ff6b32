import type { FactorSetting } from "../access/second-factor.ts";
import { credentialExpired } from "../access/authorize.ts";
import { viewerOf } from "../access/visibility.ts";
import { membershipsIn } from "../access/memberships.ts";
import type { ReadDatabase } from "../../platform/db/database.ts";
import { Failure, notFound } from "../../platform/errors.ts";
import { actorOf } from "./actor.ts";
import { aheadOfLog, type LogPosition } from "./cursor.ts";
import { matchesFilter } from "./filter.ts";
import { eventTypes } from "../../contract/events.ts";
import { withCurrentNames } from "./current-names.ts";
import type { LogReader } from "./log-sql.ts";
import { readLogs, type LogRow } from "./log.ts";
import { findAccess, redact, visibleTypes, type EventReader } from "./redact.ts";
import type { CallerMembership } from "../access/memberships.ts";

/** A page of what a reader may see, with the position read to and its time for a cursor. */
export type LogPage = { rows: LogRow[]; end: LogPosition; hasMore: boolean; at: Date | null };

/** How many batches one page reads: it may be short, since the reader may not see every event. */
const batches = 10;

/**
 * Reads a page after a position.
 *
 * The membership is read after each batch: an event that came after the reader lost access must
 * not be shown. `may` is what is known before the first batch.
 */
export async function readPage(
  deps: { db: ReadDatabase; clock: () => Date; config: FactorSetting },
  workspaceId: bigint,
  reader: LogReader,
  range: { after: LogPosition; until?: LogPosition; limit: number; may?: EventReader["may"] },
): Promise<LogPage> {
  const { db, clock } = deps;
  const { operation, credential, filter } = reader;
  const { after, until, limit } = range;
  const membershipNow = async () => {
    if (clock().getTime() >= (credential.expiresAt ?? Infinity)) throw credentialExpired();
    const membershipOf = await membershipsIn(db.read, workspaceId, operation, [credential], deps);
    const member = membershipOf(credential);
    if (member instanceof Failure) throw member;
    if (member.isDeleted) throw notFound("workspace");
    return member;
  };
  const page: LogPage = { rows: [], end: after, hasMore: true, at: null };
  let may = range.may ?? (await membershipNow()).membership.may;
  for (let count = 0; page.hasMore && page.rows.length < limit && count < batches; count++) {
    const types = visibleTypes(may, filter.types);
    // The last event of the previous batch was read just now: it need not be looked up.
    const from = count === 0 ? page.end : { ...page.end, publicId: null };
    const [batch] = await readLogs(db.reader.query, {
      of: "workspace",
      logs: [{ id: workspaceId, after: from }],
      ...(until === undefined ? {} : { until }),
      limit: limit - page.rows.length,
      filter: { ...filter, types: types.length < eventTypes.length ? types : undefined },
    });
    if (batch === undefined || batch.isAhead) throw aheadOfLog("cursor");
    const reading = await membershipNow();
    may = reading.membership.may;
    const access = await findAccess(db.reader.query, batch.rows);
    const rows = await withCurrentNames(db.reader.query, workspaceId, batch.rows);
    const visible = rows.flatMap((row) => redact(readerOf(reading), row, access) ?? []);
    // A redacted event may be of another board than the filter's.
    page.rows.push(...visible.filter((row) => matchesFilter(row, filter)));
    Object.assign(page, { end: batch.end, at: batch.at, hasMore: batch.hasMore });
  }
  return page;
}

/** A caller as a reader of the log. */
export const readerOf = (from: CallerMembership): EventReader => ({
  ...viewerOf(from),
  userId: from.caller.userId,
  may: from.membership.may,
  memberPublicId: from.membership.publicId,
  actor: actorOf(from.caller),
});
