import { jsonOf } from "../../../platform/db/insert-rows.ts";
import type { Query } from "../../../platform/db/query.ts";
import { sql } from "../../../platform/db/sql.ts";

/** The result of one attempt; `nextAttemptAt` is null after the last. */
export type AttemptResult = {
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

/** Since when a webhook has only failed; null when its last attempt succeeded. */
export type WebhookHealth = { webhookId: bigint; failingSince: Date | null };

// Webhooks are locked before their deliveries, in the order of their ids, against deadlocks.
const save = (results: AttemptResult[]) => sql`WITH results AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${jsonOf(results)}::jsonb)
      AS r(id bigint, "webhookId" bigint, ok boolean,
      "startedAt" timestamptz, "endedAt" timestamptz, "durationMs" int, "statusCode" int,
      error text, response text, "nextAttemptAt" timestamptz)
  ), locked AS MATERIALIZED (
    SELECT w.id FROM webhooks w WHERE w.id IN (SELECT "webhookId" FROM results)
    ORDER BY w.id FOR NO KEY UPDATE
  ), attempted AS (
    UPDATE deliveries d SET "attemptCount" = "attemptCount" + 1,
      "nextAttemptAt" = r."nextAttemptAt", error = r.error, "statusCode" = r."statusCode",
      status = (CASE WHEN r.ok THEN 'succeeded' WHEN r."nextAttemptAt" IS NULL THEN 'failed'
        ELSE 'pending' END)::"DeliveryStatus",
      "finishedAt" = CASE WHEN r."nextAttemptAt" IS NULL THEN r."endedAt" END
    FROM results r JOIN locked ON locked.id = r."webhookId"
    WHERE d.id = r.id AND d.status = 'pending' RETURNING d.id, d."attemptCount"
  ), logged AS (
    INSERT INTO delivery_attempts
      ("deliveryId", number, "startedAt", "durationMs", "statusCode", error, response)
    SELECT r.id, a."attemptCount", r."startedAt", r."durationMs", r."statusCode", r.error,
      r.response
    FROM attempted a JOIN results r ON r.id = a.id
  ), health AS (
    SELECT "webhookId", max("endedAt") FILTER (WHERE ok) AS "lastSuccess",
      max("endedAt") FILTER (WHERE NOT ok) AS "lastFailure",
      min("endedAt") FILTER (WHERE NOT ok) AS "firstFailure"
    FROM results GROUP BY "webhookId"
  )
  UPDATE webhooks w SET "lastSuccessAt" = greatest(w."lastSuccessAt", h."lastSuccess"),
    "lastFailureAt" = greatest(w."lastFailureAt", h."lastFailure"),
    "failingSince" = CASE
      WHEN h."lastSuccess" IS NULL THEN coalesce(w."failingSince", h."firstFailure")
      WHEN h."lastFailure" > h."lastSuccess" THEN h."lastFailure" END
  FROM health h JOIN locked ON locked.id = h."webhookId"
  WHERE w.id = locked.id RETURNING w.id AS "webhookId", w."failingSince"`;

/** Saves the results of attempts, and the health of their webhooks. Skips ended deliveries. */
export const saveResults = (query: Query, results: AttemptResult[]): Promise<WebhookHealth[]> =>
  query<WebhookHealth>(save(results));
