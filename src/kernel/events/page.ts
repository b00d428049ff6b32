import { credentialExpired } from "../access/authorize.ts";
import { viewerOf } from "../access/visibility.ts";
import { membershipsIn } from "../access/memberships.ts";
import type { ReadDatabase } from "../../platform/db/database.ts";
import { Failure, notFound } from "../../platform/errors.ts";
import { aheadOfLog, type Position } from "./cursor.ts";
import { isWanted } from "./filter.ts";
import { eventTypes } from "../../contract/events.ts";
import type { LogReader } from "./log-reader.ts";
import { readLog, type LogRow } from "./log.ts";
import { findBoards, redact, visibleTypes, type Reader } from "./redact.ts";
import type { CallerMembership } from "../access/memberships.ts";

/** A page of what somebody may see. `end` is the place up to which all has been read, `more` says that it goes on at once, `at` is as a cursor wants it. */
export type LogPage = { rows: LogRow[]; end: Position; more: boolean; at: Date | null };

/** How many pieces of the log are looked through for one page: a page may be short, or empty, because little of it is for its reader. */
const pieces = 10;

/** Reads a page from `after` on. What the reader may do is asked after each piece has been read, so that nothing is shown that came after they lost the right to it; `may` is what is known of it before the first. */
export async function readPage(
  { db, clock }: { db: ReadDatabase; clock: () => Date },
  reader: LogReader,
  asked: { after: Position; until?: Position; limit: number; may?: Reader["may"] },
): Promise<LogPage> {
  const { workspaceId, operation, credential, filter } = reader;
  const { after, until, limit } = asked;
  const stand = async () => {
    if (clock().getTime() >= (credential.expiresAt ?? Infinity)) throw credentialExpired();
    const standOf = await membershipsIn(db.read, workspaceId, operation, [credential], clock());
    const one = standOf(credential);
    if (one instanceof Failure) throw one;
    if (one.isDeleted) throw notFound("workspace");
    return one;
  };
  const page: LogPage = { rows: [], end: after, more: true, at: null };
  let may = asked.may ?? (await stand()).membership.may;
  let careful = false;
  for (let count = 0; page.more && page.rows.length < limit && count < pieces; count++) {
    const types = visibleTypes(may, filter.types);
    const piece = await readLog(db.read, {
      workspaceId,
      after: page.end,
      ...(until === undefined ? {} : { until }),
      limit: limit - page.rows.length,
      wanted: { ...filter, types: types.length < eventTypes.length ? types : undefined },
      careful,
    });
    if (piece.ahead) throw aheadOfLog("cursor");
    const now = await stand();
    may = now.membership.may;
    const boards = await findBoards(db.read, piece.rows);
    const seen = piece.rows.flatMap((row) => redact(readerOf(now), row, boards) ?? []);
    // What is left of an event in their sight may be of another board than the one that they want.
    page.rows.push(...seen.filter((row) => isWanted(row, filter)));
    const again: boolean =
      !careful && !piece.more && piece.blockedSince !== null && until === undefined;
    Object.assign(page, { end: piece.end, at: piece.at, more: piece.more || again });
    careful ||= again;
  }
  return page;
}

/** A caller as a reader of the log. */
export const readerOf = (from: CallerMembership): Reader => ({
  ...viewerOf(from),
  may: from.membership.may,
});
