import { sql } from "../../platform/db/sql.ts";
import type { Caller } from "../access/callers.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import type { Context } from "../request/context.ts";
import type { NamedCall } from "./types.ts";

/**
 * Records a write of an operator in the transaction of the write: who, what, with which input.
 *
 * Nobody follows this log, so it has no numbers and no cursor of its own. No input of an
 * operator's operation has a secret.
 */
export async function recordAction(
  { query, now }: Pick<UnitOfWork, "query" | "now">,
  { requestMetadata: { ip, requestId } }: Pick<Context, "requestMetadata">,
  { name, input }: NamedCall,
  caller: Caller | null,
): Promise<void> {
  await query(sql`INSERT INTO operator_actions
      ("userId", operation, input, ip, "requestId", "createdAt")
    VALUES (${caller?.userId ?? null}::bigint, ${name}, ${JSON.stringify(input)}::jsonb, ${ip},
      ${requestId}, ${now}::timestamptz)`);
}
