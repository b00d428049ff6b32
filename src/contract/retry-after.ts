import type { FailureCode } from "./failure-codes.ts";

/** The seconds after which a repeated call may succeed, unless the failure has its own. */
export const retryAfterSeconds: { readonly [Code in FailureCode]?: number } = {
  idempotency_key_in_flight: 1,
  no_free_slug: 1,
  board_moving: 1,
  import_running: 10,
  rate_limited: 10,
  invites_exceeded: 86_400,
  too_many_streams: 10,
  too_many_exports: 5,
  target_at_limit: 5,
  provider_rate_limited: 60,
  provider_unreachable: 10,
  starting: 5,
  schema_unsupported: 30,
  shutting_down: 1,
  overloaded: 1,
  timeout: 10,
  database_unavailable: 1,
  database_read_only: 1,
  secret_mismatch: 10,
  storage_unavailable: 1,
  storage_full: 60,
  issuer_unavailable: 30,
  snapshot_closed: 10,
  connection_busy: 1,
};
