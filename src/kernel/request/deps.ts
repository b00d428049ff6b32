import type { Logger } from "pino";
import type { Operation } from "../../contract/policy.ts";
import type { Config } from "../../platform/config.ts";
import type { Seal } from "../../platform/crypto/seal.ts";
import type { GrantTokens } from "../../platform/crypto/grant-tokens.ts";
import type { AccessTokens } from "../../platform/crypto/tokens.ts";
import type { Database, DatabaseState, ReadDatabase } from "../../platform/db/database.ts";
import type { OutgoingOptions } from "../../platform/http/address-guard.ts";
import type { DestinationShares } from "../../platform/http/destination-shares.ts";
import type { FairShare } from "../../platform/fair-share.ts";
import type { Mailer } from "../../platform/mail/mailer.ts";
import type { StorageState } from "../../platform/storage/health.ts";
import type { Files } from "../../platform/storage/store.ts";
import type { ResponseCache } from "../response-cache/cache.ts";
import type { IdentityClaims } from "../access/identity-claims.ts";
import type { Issuer } from "../access/issuer.ts";
import type { EventConsumer } from "../events/consumers.ts";
import type { CompleteEvents } from "../events/unit-of-work.ts";
import type { EventHub } from "../events/hub.ts";
import type { Notifier } from "../events/notifier.ts";
import type { limiter } from "./limiter.ts";
import type { ByteBudget } from "../../platform/byte-budget.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { Uploads } from "./uploads.ts";

/** An operation as REST serves it: `path` has `{ids}` and is relative to `/api/v1`. */
export type ServedOperation = { name: string; operation: Operation; method: string; path: string };

/** How far a process has come that was asked to stop. */
export type Stopping = false | "serving" | "refusing";

/** The dependencies of a query: its database cannot write. */
export type ReadDeps = Omit<Deps, "db"> & { db: ReadDatabase };

/** The outside world as one record: everything that a test can set. */
export type Deps = {
  config: Config & { APP_SECRET: string };
  /** Where the service is reached from outside, without a slash at the end. */
  baseUrl: string;
  clock: () => Date;
  log: Logger;
  db: Database;
  tokens: AccessTokens;
  /** The tokens of apps that people have connected. */
  grantTokens: GrantTokens;
  /** The trusted issuer of tokens. */
  issuer: Issuer | undefined;
  seal: Seal;
  /** The key under which idempotent calls are compared. */
  replaySecret: string;
  limits: RateLimits;
  /** Answers of reads in memory. */
  responses: ResponseCache;
  /** Lets few pages and large answers be made at a time, by turns of the callers. */
  reads: FairShare;
  /** Lets few passwords be hashed at a time, by turns of the client networks. */
  hashing: FairShare;
  /** Lets few calls of a caller to other services run at a time. */
  outgoingTurns: FairShare;
  /** Receives files, with limits for each user and for all. */
  uploads: Uploads;
  /** What users, and those with the URLs that they sign, may read of files. */
  downloads: ByteBudget;
  /** How many bytes of files a user reads per second in archives of workspaces. */
  archives: Pick<ReturnType<typeof limiter>, "add" | "isSpent">;
  /** The limits of test events to webhooks, apart from those of deliveries. */
  webhookTests: DestinationShares;
  /** Notifies waiters of new events. */
  notifier: Notifier;
  /** Reads the logs of workspaces for open streams and waiting requests. */
  hub: EventHub;
  /** Sends mail; only workers use it. */
  mail: Mailer;
  /** The storage of attachments. */
  files: Files;
  /** How many seconds the oldest due job has waited. Throws when the database does not answer. */
  queueLag: () => Promise<number>;
  /** Throws 503 unless this version can serve the schema of the database. */
  checkSchema: () => Promise<void>;
  /** Whether the database accepts writes. Throws when it does not answer. */
  databaseState: () => Promise<DatabaseState>;
  /** Whether the storage answers, and has space. */
  storageState: () => Promise<StorageState>;
  /** Resolves addresses, and decides which may be called. */
  outgoing: OutgoingOptions;
  /** Every operation that REST serves, in the order of their paths. */
  operations: () => readonly ServedOperation[];
  /** Completes the events of a transaction before they are written. */
  completeEvents: CompleteEvents;
  /** Updates an account when its issuer's tokens have another name or picture. */
  syncProfile: (deps: Deps, claims: IdentityClaims) => Promise<void>;
  /** They derive rows from events. */
  consumers: readonly EventConsumer[];
  /** Whether the process was asked to stop. It then still serves calls, until it refuses them. */
  stopping: () => Stopping;
};
