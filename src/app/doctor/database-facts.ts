import { adminCount } from "../../domain/operator/workspace-rows.ts";
import { sql } from "../../platform/db/sql.ts";

/** What a server says about itself, and about the role of the service. */
export type ServerFacts = {
  version: number;
  encoding: string;
  isStandby: boolean;
  isReadOnly: boolean;
  fsync: string;
  autovacuum: string;
  commits: string;
  wantsStandbys: boolean;
  connections: number;
  maxConnections: number;
  mayCreate: boolean;
  isSuperuser: boolean;
  transactionAge: number;
  now: Date;
};

// The sessions of the service set what they may write: `reset_val` is what the server gave them.
export const serverFacts = sql`SELECT current_setting('server_version_num')::int AS version,
    current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS "isStandby",
    (SELECT reset_val FROM pg_settings WHERE name = 'default_transaction_read_only') = 'on'
      AS "isReadOnly",
    current_setting('fsync') AS fsync, current_setting('autovacuum') AS autovacuum,
    current_setting('synchronous_commit') AS commits,
    current_setting('synchronous_standby_names') <> '' AS "wantsStandbys",
    (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend')
      AS connections,
    current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int AS "maxConnections",
    has_schema_privilege(current_schema(), 'CREATE') AS "mayCreate",
    (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS "isSuperuser",
    (SELECT age(datfrozenxid) FROM pg_database WHERE datname = current_database())
      AS "transactionAge",
    clock_timestamp() AS now`;

/** An extension that the schema needs: the version that is there, and whether it could be. */
export type ExtensionFacts = { name: string; installed: string | null };

export const extensionFacts = sql`SELECT e.name, a.installed_version AS installed
  FROM unnest(ARRAY['pg_trgm', 'btree_gin']) AS e(name)
    LEFT JOIN pg_available_extensions a ON a.name = e.name`;

/** A table with more dead rows than live ones, or else one that was never analyzed. */
export type TableFacts = { name: string; dead: number; live: number };

const manyRows = 10_000;

export const tableFacts = sql`SELECT relname AS name, n_dead_tup::float8 AS dead,
    n_live_tup::float8 AS live
  FROM pg_stat_user_tables WHERE schemaname = current_schema()
    AND (n_dead_tup > ${sql.number(manyRows)} AND n_dead_tup > n_live_tup
      OR n_live_tup > ${sql.number(manyRows)} AND last_analyze IS NULL
        AND last_autoanalyze IS NULL)
  ORDER BY n_dead_tup DESC`;

/** Indexes that were not finished: PostgreSQL keeps them, and does not use them. */
export const brokenIndexes = sql`SELECT c.relname AS name FROM pg_index i
    JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = current_schema() AND NOT i.indisvalid ORDER BY 1`;

/** A transaction that keeps dead rows from being removed. */
export type LongTransaction = { pid: number; program: string; minutes: number };

export const longTransactions = sql`SELECT pid, application_name AS program,
    floor(extract(epoch FROM now() - xact_start) / 60)::int AS minutes
  FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND xact_start < now() - interval '10 minutes' ORDER BY xact_start`;

/** A standby, as the primary sees it. Lags are null for a role that may not see them. */
export type StandbyFacts = { name: string; state: string; sync: string; lagSeconds: number | null };

export const standbyFacts = sql`SELECT application_name AS name, state, sync_state AS sync,
    extract(epoch FROM replay_lag)::float8 AS "lagSeconds" FROM pg_stat_replication`;

/** How long ago this standby has applied the last transaction, in seconds. */
export const ownLag = sql`SELECT
    extract(epoch FROM now() - pg_last_xact_replay_timestamp())::float8 AS "lagSeconds"`;

/** A replication slot that nobody reads, and how many bytes it keeps. */
export const idleSlots = sql`SELECT slot_name AS name,
    pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn()
      ELSE pg_current_wal_lsn() END, restart_lsn)::float8 AS bytes
  FROM pg_replication_slots WHERE NOT active`;

/** What waits for the workers, and what nobody looks after. */
export type WorkFacts = { failedJobs: number; failingWebhooks: number; ownerless: number };

/** `since` is a time: older failures have been seen. */
export const workFacts = (since: Date) => sql`SELECT
    (SELECT count(*)::int FROM jobs WHERE status = 'failed'
      AND "finishedAt" > ${since}::timestamptz) AS "failedJobs",
    (SELECT count(*)::int FROM webhooks WHERE "failingSince" IS NOT NULL
      AND "deletedAt" IS NULL) AS "failingWebhooks",
    (SELECT count(*)::int FROM workspaces w WHERE w."deletedAt" IS NULL AND ${adminCount} = 0)
      AS ownerless`;
