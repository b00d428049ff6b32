import type { Logger } from "pino";
import type { Operation } from "../../contract/policy.ts";
import type { Config } from "../../platform/config.ts";
import type { Seal } from "../../platform/crypto/seal.ts";
import type { Tokens } from "../../platform/crypto/tokens.ts";
import type { Database, ReadDatabase } from "../../platform/db/database.ts";
import type { Outgoing } from "../../platform/http/address-guard.ts";
import type { Mailer } from "../../platform/mail/mailer.ts";
import type { Files } from "../../platform/storage/store.ts";
import type { Issuer } from "../access/issuer.ts";
import type { EventConsumer } from "../events/consumers.ts";
import type { EventHub } from "../events/hub.ts";
import type { Notifier } from "../events/notifier.ts";
import type { Limits } from "./rate-limits.ts";

/** An operation as REST serves it: `path` has `{ids}` and is relative to `/api/v1`. */
export type ServedOperation = { name: string; operation: Operation; method: string; path: string };

/** What a handler has of the outside world: a database that cannot write. Its `tx` writes. */
export type ReadDeps = Omit<Deps, "db"> & { db: ReadDatabase };

/** The outside world, as one record: everything that a test may want to set. */
export type Deps = {
  config: Config & { APP_SECRET: string };
  /** Where the service is reached from outside, without a slash at the end. */
  baseUrl: string;
  clock: () => Date;
  log: Logger;
  db: Database;
  tokens: Tokens;
  /** Whose tokens are good beside our own. */
  issuer: Issuer | undefined;
  seal: Seal;
  /** The key under which idempotent calls are compared. */
  replaySecret: string;
  limits: Limits;
  /** Wakes whoever waits for events. */
  notifier: Notifier;
  /** Follows what happens in workspaces, for all who have a stream open or wait. */
  hub: EventHub;
  /** The way out for mail; only workers send. */
  mail: Mailer;
  /** Where the bytes of attachments are. */
  files: Files;
  /** Whether the storage answers. */
  storageAnswers: () => Promise<boolean>;
  /** How addresses are resolved, and which of them may be talked to. */
  outgoing: Outgoing;
  /** Every operation that REST serves, in the order of their paths. */
  operations: () => readonly ServedOperation[];
  /** What derives rows from events as they are written. */
  consumers: readonly EventConsumer[];
  /** True from the moment that the process has been asked to stop. */
  stopping: () => boolean;
};
