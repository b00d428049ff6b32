import type { Logger } from "pino";
import type { Seal } from "./auth/seal.ts";
import type { Tokens } from "./auth/tokens.ts";
import type { Config } from "./config.ts";
import type { Database } from "./db/database.ts";
import type { Limits } from "./http/limits.ts";
import type { AttemptDeps } from "./webhooks/deliver.ts";

/** The outside world, as one record: everything that a test may want to set. */
export type Deps = {
  config: Config;
  clock: () => Date;
  log: Logger;
  db: Database;
  tokens: Tokens;
  seal: Seal;
  /** The key under which idempotent calls are compared. */
  replaySecret: string;
  limits: Limits;
  /** How addresses are resolved and which of them may be talked to. */
  outgoing: AttemptDeps;
  /** True from the moment that the process has been asked to stop. */
  stopping: () => boolean;
};
