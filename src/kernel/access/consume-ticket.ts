import type { Database } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import { type Failure, invalidToken } from "../../platform/errors.ts";
import { fingerprint } from "./credentials.ts";
import type { Credential } from "./credential.ts";

/** Consumes a single-use ticket and returns its credential or a 401; a peek does not consume it. */
export async function consumeTicket(
  ticket: string,
  { db, clock }: { db: Database; clock: () => Date },
  onlyPeeks: boolean,
): Promise<Credential | Failure> {
  const now = clock();
  const isValid = sql`"ticketHash" = ${fingerprint(ticket)} AND "usedAt" IS NULL
    AND "expiresAt" > ${now}::timestamptz`;
  const [row] = onlyPeeks
    ? await db.read<{ credential: Credential }>(
        sql`SELECT credential FROM stream_tickets WHERE ${isValid}`,
      )
    : await db.write<{ credential: Credential }>(
        sql`UPDATE stream_tickets SET "usedAt" = ${now}::timestamptz
          WHERE ${isValid} RETURNING credential`,
      );
  return (
    row?.credential ??
    invalidToken("ticket_invalid", "The ticket is unknown, has expired or was used before.")
  );
}
