import { createHmac } from "node:crypto";
import type { Metrics } from "../api/operator/metrics.ts";
import { routesOf } from "../api/rest/routes.ts";
import { completeEvents } from "../domain/cards/complete-events.ts";
import { createProfileSync } from "../domain/users/sync-profile.ts";
import { createResponseCache } from "../kernel/response-cache/cache.ts";
import { createIssuer } from "../kernel/access/issuer.ts";
import type { Deps } from "../kernel/request/deps.ts";
import { createNotifier } from "../kernel/events/notifier.ts";
import { hashingShares, outgoingShares, readShares } from "../kernel/request/expensive-work.ts";
import { limiter } from "../kernel/request/limiter.ts";
import { countInDatabase } from "../kernel/request/counts.ts";
import { createLimits } from "../kernel/request/rate-limits.ts";
import { uploadLimits, Uploads } from "../kernel/request/uploads.ts";
import { notificationConsumer } from "../outbound/notifications/fan-out.ts";
import { userEventConsumer } from "../outbound/stream/user-events.ts";
import { createHub } from "../outbound/stream/hub.ts";
import { webhookConsumer } from "../outbound/webhooks/queue-events.ts";
import { testLimits } from "../outbound/webhooks/test.ts";
import { baseUrlOf, rateLimitOf, type Config } from "../platform/config.ts";
import { createSeal } from "../platform/crypto/seal.ts";
import { createGrantTokens } from "../platform/crypto/grant-tokens.ts";
import { createTokens } from "../platform/crypto/tokens.ts";
import { FairShare } from "../platform/fair-share.ts";
import { systemResolve } from "../platform/http/address-guard.ts";
import { DestinationShares } from "../platform/http/destination-shares.ts";
import { createMailer } from "../platform/mail/mailer.ts";
import { openFiles } from "../platform/storage/open.ts";
import { sharedCheck } from "../platform/shared-check.ts";
import { throwNoDatabase } from "../platform/db/database-errors.ts";
import { createSchemaCheck } from "../platform/db/schema-state.ts";
import { readLag } from "../kernel/jobs/lag.ts";
import { storageHealth } from "../platform/storage/health.ts";
import { version } from "../platform/version.ts";
import { appRouter } from "./router/index.ts";

/** For how long all probes share the answer of one query. */
const pingMs = 1_000;
const mebibyte = 1024 * 1024;

/** The dependencies of the application. `metrics` is undefined when no setting exposes them. */
export type AppDeps = Deps & { metrics: Metrics | undefined };

/** The dependencies that are not created from the configuration. */
type Input = Pick<Deps, "config" | "log" | "db" | "stopping"> &
  Partial<Pick<Deps, "clock" | "outgoing">>;

/** Creates all dependencies from the configuration and the database. */
export async function createDeps({ config, log, db, stopping, ...input }: Input): Promise<AppDeps> {
  const { APP_SECRET, APP_SECRET_PREVIOUS } = config;
  const previous = APP_SECRET_PREVIOUS === undefined ? [] : [APP_SECRET_PREVIOUS];
  const clock = input.clock ?? (() => new Date());
  const files = await openFiles(config);
  const responses = createResponseCache(config.CACHE_MB);
  const deps = {
    config,
    baseUrl: baseUrlOf(config),
    clock,
    log,
    db,
    tokens: await createTokens([APP_SECRET, ...previous], clock),
    grantTokens: await createGrantTokens([APP_SECRET, ...previous], baseUrlOf(config), clock),
    issuer: createIssuer(config, clock),
    seal: createSeal([APP_SECRET, ...previous]),
    replaySecret: createHmac("sha256", APP_SECRET).update("idempotency").digest("hex"),
    limits: limitsOf(config, db),
    responses,
    reads: new FairShare(readShares),
    hashing: new FairShare(hashingShares),
    outgoingTurns: new FairShare(outgoingShares),
    uploads: new Uploads(
      uploadLimits(config.MIN_SEND_RATE),
      limiter("uploads", config.UPLOADS_PER_DAY * mebibyte, 24 * 60 * 60, "bytes of files"),
    ),
    downloads: limiter("downloads", config.DOWNLOADS_PER_MINUTE * mebibyte, 60, "bytes of files"),
    // By the second, so that no archive pauses as long as a proxy waits.
    archives: limiter("archives", Math.ceil((config.DOWNLOADS_PER_MINUTE * mebibyte) / 60), 1),
    webhookTests: new DestinationShares(testLimits(config)),
    notifier: createNotifier(),
    mail: createMailer(config, log),
    files,
    queueLag: sharedCheck(() => readLag(db.read, clock()), { ms: 0, clock, late: throwNoDatabase }),
    checkSchema: sharedCheck(createSchemaCheck(db), { ms: pingMs, clock, late: throwNoDatabase }),
    databaseState: sharedCheck(() => db.ping(), { ms: pingMs, clock, late: throwNoDatabase }),
    storageState: storageHealth(files, clock),
    metrics: isMeasured(config)
      ? await openMetrics({ db, clock, log, responses, files })
      : undefined,
    outgoing: input.outgoing ?? {
      resolve: systemResolve,
      policy: {
        allowHttp: config.WEBHOOK_ALLOW_HTTP,
        allowedSubnets: config.WEBHOOK_ALLOWED_SUBNETS,
        namesSettings: config.NODE_ENV === "development",
      },
      now: clock,
      version,
    },
    operations: () => routesOf(appRouter),
    completeEvents,
    syncProfile: createProfileSync(),
    consumers: [webhookConsumer, notificationConsumer, userEventConsumer],
    stopping,
  };
  return { ...deps, hub: createHub(deps) };
}

const limitsOf = (config: Config, db: Deps["db"]) =>
  createLimits(
    rateLimitOf(config),
    config.AUTH_RATE_LIMIT,
    bytesPerDay(config),
    countInDatabase(db),
  );

const bytesPerDay = (config: Config) => ({
  text: config.TEXT_PER_DAY * mebibyte,
  stored: config.STORED_PER_DAY * mebibyte,
});

const openMetrics = async (source: Pick<Deps, "db" | "clock" | "log" | "responses" | "files">) =>
  (await import("../api/operator/metrics.ts")).createMetrics(source);

const isMeasured = ({ ADMIN_KEY, METRICS_PORT }: Config) =>
  ADMIN_KEY !== undefined || METRICS_PORT !== undefined;
