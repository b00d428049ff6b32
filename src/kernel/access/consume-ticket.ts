import type { Database } from "../../platform/db/database.ts";
import { unauthorized, type Failure } from "../../platform/errors.ts";
import { fingerprint } from "./credentials.ts";
import type { Credential } from "./credential.ts";

const good = `"ticketHash" = $1 AND "usedAt" IS NULL AND "expiresAt" > $2::timestamptz`;
const look = `SELECT credential FROM stream_tickets WHERE ${good}`;
const spend = `UPDATE stream_tickets SET "usedAt" = $2::timestamptz WHERE ${good} RETURNING credential`;

/** Takes a ticket: the credential that it stands for, or the 401 that it deserves. Each is good once; whoever only looks does not use it up. */
export async function consumeTicket(
  ticket: string,
  { db, clock }: { db: Database; clock: () => Date },
  onlyLooks: boolean,
): Promise<Credential | Failure> {
  const values = [fingerprint(ticket), clock()];
  const [row] = onlyLooks
    ? await db.read<{ credential: Credential }>(look, values)
    : await db.write<{ credential: Credential }>(spend, values);
  return row?.credential ?? unauthorized("The ticket has expired, was used before, or is none.");
}
