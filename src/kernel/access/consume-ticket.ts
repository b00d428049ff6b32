import type { Database } from "../../platform/db/database.ts";
import { unauthorized, type Failure } from "../../platform/errors.ts";
import { fingerprint } from "./credentials.ts";
import type { Credential } from "./credential.ts";

const isValid = `"ticketHash" = $1 AND "usedAt" IS NULL AND "expiresAt" > $2::timestamptz`;
const peek = `SELECT credential FROM stream_tickets WHERE ${isValid}`;
const consume = `UPDATE stream_tickets SET "usedAt" = $2::timestamptz
  WHERE ${isValid} RETURNING credential`;

/** Consumes a single-use ticket and returns its credential or a 401; a peek does not consume it. */
export async function consumeTicket(
  ticket: string,
  { db, clock }: { db: Database; clock: () => Date },
  onlyPeeks: boolean,
): Promise<Credential | Failure> {
  const values = [fingerprint(ticket), clock()];
  const [row] = onlyPeeks
    ? await db.read<{ credential: Credential }>(peek, values)
    : await db.write<{ credential: Credential }>(consume, values);
  return row?.credential ?? unauthorized("The ticket is unknown, has expired or was used before.");
}
