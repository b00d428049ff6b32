import type { Deps } from "../deps.ts";
import { unauthorized, type Failure } from "../errors.ts";
import { fingerprint, type Credential } from "./identify.ts";

const spend = `UPDATE stream_tickets SET "usedAt" = $2::timestamptz
  WHERE "ticketHash" = $1 AND "usedAt" IS NULL AND "expiresAt" > $2::timestamptz RETURNING credential`;

/** Takes a ticket: the credential that it stands for, or the 401 that it deserves. Each is good once. */
export async function redeem(
  ticket: string,
  { db, clock }: Pick<Deps, "db" | "clock">,
): Promise<Credential | Failure> {
  const [row] = await db.read<{ credential: Credential }>(spend, [fingerprint(ticket), clock()]);
  return row?.credential ?? unauthorized("The ticket has expired, was used before, or is none.");
}
