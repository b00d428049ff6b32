import { createHmac } from "node:crypto";
import type { Logger } from "pino";
import { createSeal, type Seal } from "../platform/crypto/seal.ts";
import { createIssuer, type Issuer } from "./access/issuer.ts";
import { createTokens, type Tokens } from "../platform/crypto/tokens.ts";
import { baseUrlOf, type Config } from "../platform/config.ts";
import type { Database } from "../platform/db/database.ts";
import { createBell, type Bell } from "./events/notifier.ts";
import { openFiles } from "../platform/storage/open.ts";
import { storageProbe } from "../platform/storage/probe.ts";
import type { Files } from "../platform/storage/store.ts";
import { routesOf, type Route } from "../api/rest/dispatch.ts";
import { createLimits, type Limits } from "./rate-limits.ts";
import { createHub, type Hub } from "../outbound/stream/hub.ts";
import { createMailer, type Mailer } from "../platform/mail/mailer.ts";
import { createMetrics, type Metrics } from "../api/operator/metrics.ts";
import { version } from "../platform/version.ts";
import { systemResolve } from "../platform/http/address-guard.ts";
import type { AttemptDeps } from "../outbound/webhooks/deliver.ts";

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
  bell: Bell;
  /** Follows what happens in workspaces, for all who have a stream open or wait. */
  hub: Hub;
  /** The way out for mail; only workers send. */
  mail: Mailer;
  /** Where the bytes of attachments are. */
  files: Files;
  /** Whether the storage answers. */
  storageAnswers: () => Promise<boolean>;
  /** What is measured, where anybody may read it. */
  metrics: Metrics | undefined;
  /** How addresses are resolved, and which of them may be talked to. */
  outgoing: AttemptDeps;
  /** Every operation with its REST face, in the order of their paths. */
  faces: () => Promise<Route[]>;
  /** True from the moment that the process has been asked to stop. */
  stopping: () => boolean;
};

/** What cannot be made from the configuration alone. */
type Given = Pick<Deps, "config" | "log" | "db" | "stopping"> &
  Partial<Pick<Deps, "clock" | "outgoing">>;

/** Everything that the service needs, from its configuration and its database. */
export async function createDeps({ config, log, db, stopping, ...given }: Given): Promise<Deps> {
  const { APP_SECRET, APP_SECRET_PREVIOUS, RATE_LIMIT, AUTH_RATE_LIMIT } = config;
  const previous = APP_SECRET_PREVIOUS === undefined ? [] : [APP_SECRET_PREVIOUS];
  const clock = given.clock ?? (() => new Date());
  const files = openFiles(config);
  const deps = {
    config,
    baseUrl: baseUrlOf(config),
    clock,
    log,
    db,
    tokens: await createTokens([APP_SECRET, ...previous], clock),
    issuer: createIssuer(config, clock),
    seal: createSeal([APP_SECRET, ...previous]),
    replaySecret: createHmac("sha256", APP_SECRET).update("idempotency").digest("hex"),
    limits: createLimits(RATE_LIMIT, AUTH_RATE_LIMIT),
    bell: createBell(),
    mail: createMailer(config, log),
    files,
    storageAnswers: storageProbe(files, clock),
    metrics: isMeasured(config) ? createMetrics({ db, clock, log }) : undefined,
    outgoing: given.outgoing ?? {
      resolve: systemResolve,
      policy: {
        allowHttp: config.WEBHOOK_ALLOW_HTTP,
        allowedSubnets: config.WEBHOOK_ALLOWED_SUBNETS,
      },
      now: clock,
      version,
    },
    async faces() {
      // Read when it is asked for: the router itself is made of what is given these very deps.
      const { appRouter } = await import("../app/router/index.ts");
      return routesOf(appRouter);
    },
    stopping,
  };
  return { ...deps, hub: createHub(deps) };
}

const isMeasured = ({ ADMIN_KEY, METRICS_PORT }: Config) =>
  ADMIN_KEY !== undefined || METRICS_PORT !== undefined;
