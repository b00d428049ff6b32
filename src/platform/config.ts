import { z } from "zod";
import { readSignInProviders } from "./sign-in-providers.ts";
import { defaultLimits, type Limits } from "../contract/limits.ts";
import { constants, type Constants } from "./constants.ts";
import { nearestName } from "./nearest-name.ts";
import { readDatabaseAddress } from "./database-address.ts";
import { fileSettings, readSecretFiles, secretSettings } from "./secret-settings.ts";
import { readStorageAddress } from "./storage-address.ts";

const whole = (min: number, max: number) =>
  z
    .string()
    .transform((text) => (/^\d+$/.test(text) ? Number(text) : Number.NaN))
    .refine((number) => number >= min && number <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    });
const numberWithDefault = (min: number, max: number, fallback: number) =>
  whole(min, max).default(fallback);
const address = z.url({ protocol: /^https?$/, error: "must be an http or https address" });
const base = address.transform((url) => url.replace(/(?<!\/)\/+$/, ""));
const list = z
  .string()
  .transform((text) => text.split(",").flatMap((item) => item.trim() || []))
  .default([]);
const oneOf = <const Value extends string>(values: readonly [Value, ...Value[]]) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });
const flag = oneOf(["true", "false", "1", "0"]).transform((text) => /^[t1]/.test(text));
const origin = z.string().refine((text) => isOrigin(text), {
  error: "must be an origin such as https://app.example.com: without a path, not *",
});
/** The address of a frontend page with placeholders such as `{code}`; the first is required. */
const pageTemplate = (name: string, ...others: string[]) => {
  const allowed = [name, ...others].map((other) => `{${other}}`);
  return z
    .string()
    .refine((url) => /^https?:\/\//.test(url) && URL.canParse(url.replaceAll(/[{}]/g, "")), {
      error: "must be an http or https address",
    })
    .refine((url) => url.includes(`{${name}}`), { error: `must contain {${name}}` })
    .refine((url) => (url.match(/\{.*?\}/g) ?? []).every((part) => allowed.includes(part)), {
      error: `may contain only ${allowed.join(", ")}`,
    });
};
/** The address of a page without placeholders: its query is added. */
const pageAddress = (why: string) =>
  address.refine((url) => !/[{}]/.test(url), { error: `may not contain { or }: ${why}` });
/** The address of a page that gets a token: mails add it. */
const tokenPage = pageAddress("mails add ?token=");
const isOrigin = (text: string) =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
const signUp = oneOf(["open", "invited", "closed"]);
/** A setting that `read` parses; its error becomes the message. */
const readBy = <Value>(read: (text: string) => Value) =>
  z.string().transform((text, context) => {
    try {
      return read(text);
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message : String(error));
      return z.NEVER;
    }
  });
const limitNames = Object.keys(defaultLimits).join(", ");
/** Pairs such as `boards=2000,cards=100000`, over the default limits. */
const limitList = list.transform((pairs, context): Limits => {
  const limits = { ...defaultLimits };
  for (const pair of pairs) {
    const [, name = "", number] = /^(\w+)=([1-9]\d{0,6})$/.exec(pair) ?? [];
    if (isLimit(name)) limits[name] = Number(number);
    else context.addIssue(`must be pairs such as boards=2000, from 1 to 9999999; of ${limitNames}`);
  }
  return limits;
});
const isLimit = (name: string): name is keyof Limits => Object.hasOwn(defaultLimits, name);
const secret = z.string().min(32, "must have at least 32 characters");

/** The settings: name, range and default of each environment variable. */
export const Environment = z.object({
  NODE_ENV: oneOf(["development", "production", "test"]).default("development"),
  PORT: numberWithDefault(0, 65_535, 3000),
  HOST: z.string().default("127.0.0.1"),
  BASE_URL: base
    .refine((url) => !/\/(?:api\/v1|trpc)$/.test(url), {
      error: "must be the address of the service, without /api/v1, which is added",
    })
    .optional(),
  DATABASE_URL: readBy(readDatabaseAddress).optional(),
  MIGRATE: flag.default(true),
  DATA_DIR: z.string().default(".data"),
  APP_SECRET: secret.optional(),
  APP_SECRET_PREVIOUS: secret.optional(),
  SIGN_UP: signUp.default("open"),
  OIDC_SIGN_UP: signUp.optional(),
  REQUIRE_SECOND_FACTOR: flag.default(false),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be an smtp or smtps address" }).optional(),
  MAIL_FROM: z.string().default("Workspace Board Service <boards@localhost>"),
  APP_URL: base.optional(),
  INVITE_URL: pageTemplate("code").optional(),
  CARD_URL: pageTemplate("cardPublicId", "boardPublicId", "workspacePublicId").optional(),
  PASSWORD_RESET_URL: tokenPage.optional(),
  VERIFY_EMAIL: flag.optional(),
  VERIFY_EMAIL_URL: tokenPage.optional(),
  OAUTH_PAGE: pageAddress("apps send browsers there with their own query").optional(),
  STORAGE_URL: readBy(readStorageAddress).optional(),
  ATTACHMENTS_QUOTA: numberWithDefault(1, 1_000_000_000, 10_240),
  LIMITS: limitList,
  TRASH_DAYS: numberWithDefault(1, 3650, 30),
  EVENT_DAYS: numberWithDefault(1, 3650, 90),
  HISTORY_DAYS: whole(1, 36_500).optional(),
  DEMO: flag.optional(),
  KAN_API: flag.default(true),
  DATABASE_CONNECTIONS: numberWithDefault(4, 1_000, 10),
  WORKERS: numberWithDefault(0, 64, 2),
  DRAIN_SECONDS: whole(0, 600).optional(),
  CORS_ORIGINS: list.pipe(z.array(origin)),
  TRUST_PROXY: numberWithDefault(0, 10, 0),
  RATE_LIMIT: whole(1, 1_000_000).optional(),
  AUTH_RATE_LIMIT: numberWithDefault(1, 1_000_000, 10),
  // It is as much as all accounts together.
  ADMIN_KEY: z.string().min(16, "must have at least 16 characters").optional(),
  METRICS_PORT: whole(1, 65_535).optional(),
  LOG_ADDRESSES: flag.default(true),
  OTEL_EXPORTER_OTLP_ENDPOINT: address.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf(["http/protobuf", "http/json"]).default("http/protobuf"),
  LOG_LEVEL: oneOf(["silent", "fatal", "error", "warn", "info", "debug", "trace"]).default("info"),
  WEBHOOK_ALLOW_HTTP: flag.default(false),
  WEBHOOK_ALLOWED_SUBNETS: list.pipe(
    z.array(z.union([z.cidrv4(), z.cidrv6()], { error: "must be subnets such as 10.0.0.0/8" })),
  ),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  GITHUB_URL: base.default("https://github.com"),
  GITHUB_API_URL: base.default("https://api.github.com"),
  OIDC_ISSUER: address.optional(),
  OIDC_AUDIENCE: list,
  SIGN_IN_PROVIDERS: readBy(readSignInProviders).default([]),
  TRELLO_API_KEY: z.string().optional(),
  TRELLO_URL: base.default("https://trello.com"),
  TRELLO_API_URL: base.default("https://api.trello.com"),
  RETURN_URLS: list.pipe(z.array(address)),
});

/** The validated settings, and the constants. */
export type Config = z.infer<typeof Environment> & Constants;

/**
 * Reads the settings. Throws one error that lists every invalid setting.
 *
 * Without `NODE_ENV` a service on a public address is in production: logs contain no secrets.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const files = readSecretFiles(env);
  const given = Object.entries(env).filter(([, value]) => value !== "");
  const set = { ...Object.fromEntries(given), ...files.settings };
  const read = Environment.safeParse(set);
  const problems = [...files.problems];
  if (!read.success) problems.push(...read.error.issues.map((issue) => describeIssue(issue, set)));
  if (set["NODE_ENV"] === "production" && set["DATABASE_URL"] && !set["APP_SECRET"]) {
    problems.push("APP_SECRET is required in production with a DATABASE_URL");
  }
  if (set["OIDC_ISSUER"] && !set["OIDC_AUDIENCE"]) {
    problems.push("OIDC_AUDIENCE is required with an OIDC_ISSUER");
  }
  if (read.success && read.data.OIDC_ISSUER?.replace(/(?<!\/)\/+$/, "") === baseUrlOf(read.data)) {
    problems.push(
      "OIDC_ISSUER is the address of the service itself: it must be another issuer's. The service " +
        "accepts its own tokens without it",
    );
  }
  if (read.success && (read.data.HISTORY_DAYS ?? Infinity) < read.data.EVENT_DAYS) {
    problems.push("HISTORY_DAYS is less than EVENT_DAYS: the feed has all events of that time");
  }
  if (read.success && read.data.METRICS_PORT === read.data.PORT) {
    problems.push("METRICS_PORT is the same as PORT: the metrics need a port of their own");
  }
  if (!read.success || problems.length > 0) {
    throw new Error(`Invalid configuration:\n${problems.map((line) => `  - ${line}`).join("\n")}`);
  }
  const isPublic = set["NODE_ENV"] === undefined && !isLoopback(read.data.HOST);
  return { ...constants, ...read.data, ...(isPublic ? { NODE_ENV: "production" as const } : {}) };
}

/** What to do about the variables of the environment that were settings of earlier versions. */
export function removedSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  const names = Object.keys(env).filter((name) => env[name] !== "");
  const removed = names.filter((name) => name === "LOG_FORMAT" || Object.hasOwn(constants, name));
  const limits = Object.keys(defaultLimits).map((limit) => {
    return { limit, name: `LIMIT_${limit === "checklist_items" ? "ITEMS" : limit.toUpperCase()}` };
  });
  return [
    ...removed.map((name) => `${name} is no longer a setting and has no effect. Remove it.`),
    ...limits
      .filter(({ name }) => names.includes(name))
      .map(({ limit, name }) => {
        return `${name} is no longer a setting and has no effect. Set LIMITS=${limit}=${env[name]}.`;
      }),
  ];
}

/** Variables that Node.js, OpenTelemetry, the command line and compose.yaml read. */
const others =
  /^(?:NODE_|OTEL_|WBS_|PLANKA_|PG[A-Z]+$|POSTGRES_PASSWORD$|PUBLISH$|TZ$|NO_COLOR$|KAN_API_KEY$)/;

/** A line for each name of a `.env` file that is not a setting, with the setting that it resembles. */
export function unknownSettings(file: Readonly<Record<string, string | undefined>>): string[] {
  const known = [...Object.keys(Environment.shape), ...fileSettings];
  const removed = new Set(removedSettings(file).map((line) => line.split(" ")[0]));
  return Object.keys(file)
    .filter((name) => !known.includes(name) && !removed.has(name) && !others.test(name))
    .map((name) => {
      const nearest = nearestName(name, known);
      const advice = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
      return `${name} in .env is not a setting and has no effect.${advice}`;
    });
}

const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host);

/** The public URL of the service. */
export const baseUrlOf = ({ BASE_URL, HOST, PORT }: Pick<Config, "BASE_URL" | "HOST" | "PORT">) =>
  BASE_URL ?? `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${PORT}`;

/** The settings that say whether addresses are verified. */
export type VerifySettings = Pick<Config, "VERIFY_EMAIL" | "SMTP_URL">;

/** Whether new accounts must verify their address: by default when mail can be sent. */
export const verifiesEmail = (config: VerifySettings): boolean =>
  config.VERIFY_EMAIL ?? config.SMTP_URL !== undefined;

/** The calls of a user in 10 s: a page that reloads in development makes many. */
export const rateLimitOf = (config: Pick<Config, "RATE_LIMIT" | "NODE_ENV">): number =>
  config.RATE_LIMIT ?? (config.NODE_ENV === "development" ? 1_000 : 100);

/** Whether the demo page is served: by default in development. */
export const servesDemo = (config: Pick<Config, "DEMO" | "NODE_ENV">): boolean =>
  config.DEMO ?? config.NODE_ENV !== "production";

function describeIssue(issue: z.core.$ZodIssue, env: Record<string, string | undefined>) {
  const name = String(issue.path[0]);
  return secretSettings.some((secretName) => secretName === name)
    ? `${name}: ${issue.message}`
    : `${name} was ${JSON.stringify(env[name])}: ${issue.message}`;
}
