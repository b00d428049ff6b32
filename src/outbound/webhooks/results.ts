import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";

/** What came of one attempt; `nextAttemptAt` is null when it was the last. */
export type Result = {
  id: bigint;
  webhookId: bigint;
  ok: boolean;
  startedAt: Date;
  endedAt: Date;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  response: string;
  nextAttemptAt: Date | null;
};

/** What a webhook is like after some attempts. */
export type Health = { webhookId: bigint; failingSince: Date | null };

// Webhooks before their deliveries, and by their ids, as everybody locks them who locks several.
const write = (json: string) =>
  sql`WITH told AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${json}::jsonb) AS t(id bigint, "webhookId" bigint, ok boolean, "startedAt" timestamptz,
      "endedAt" timestamptz, "durationMs" int, "statusCode" int, error text, response text, "nextAttemptAt" timestamptz)
  ), held AS MATERIALIZED (
    SELECT w.id FROM webhooks w WHERE w.id IN (SELECT "webhookId" FROM told) ORDER BY w.id FOR NO KEY UPDATE
  ), attempted AS (
    UPDATE deliveries d SET "attemptCount" = "attemptCount" + 1, "nextAttemptAt" = t."nextAttemptAt", error = t.error, "statusCode" = t."statusCode",
      status = (CASE WHEN t.ok THEN 'succeeded' WHEN t."nextAttemptAt" IS NULL THEN 'failed' ELSE 'pending' END)::"DeliveryStatus",
      "finishedAt" = CASE WHEN t."nextAttemptAt" IS NULL THEN t."endedAt" END
    FROM told t JOIN held ON held.id = t."webhookId" WHERE d.id = t.id AND d.status = 'pending' RETURNING d.id, d."attemptCount"
  ), logged AS (
    INSERT INTO delivery_attempts ("deliveryId", number, "startedAt", "durationMs", "statusCode", error, response)
    SELECT t.id, a."attemptCount", t."startedAt", t."durationMs", t."statusCode", t.error, t.response FROM attempted a JOIN told t ON t.id = a.id
  ), health AS (
    SELECT "webhookId", max("endedAt") FILTER (WHERE ok) AS good, max("endedAt") FILTER (WHERE NOT ok) AS bad,
      min("endedAt") FILTER (WHERE NOT ok) AS "firstBad"
    FROM told GROUP BY "webhookId"
  )
  UPDATE webhooks w SET "lastSuccessAt" = greatest(w."lastSuccessAt", h.good), "lastFailureAt" = greatest(w."lastFailureAt", h.bad),
    "failingSince" = CASE WHEN h.good IS NULL THEN coalesce(w."failingSince", h."firstBad") WHEN h.bad > h.good THEN h.bad END
  FROM health h JOIN held ON held.id = h."webhookId" WHERE w.id = held.id RETURNING w.id AS "webhookId", w."failingSince"`;

/** Writes what came of attempts, each into the log of its delivery, and what their targets are like now. A delivery that has ended meanwhile stays as it is. */
export const writeResults = (query: Query, results: Result[]): Promise<Health[]> =>
  query<Health>(
    write(
      JSON.stringify(results, (_, value: unknown) =>
        typeof value === "bigint" ? String(value) : value,
      ),
    ),
  );
