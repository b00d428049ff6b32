import { z } from "zod";
import { defaultLimits, type Limits } from "../contract/limits.ts";
import { readStorageAddress } from "./storage-address.ts";

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(min).max(max));
const number = (min: number, max: number, fallback: number) => whole(min, max).default(fallback);
const address = z.url({ protocol: /^https?$/, error: "must be an http or https address" });
const base = address.transform((url) => url.replace(/\/+$/, ""));
const list = z
  .string()
  .transform((text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  )
  .default([]);
const flag = z
  .enum(["true", "false", "1", "0"])
  .transform((text) => text === "true" || text === "1")
  .default(false);
const storage = z.string().transform((text, context) => {
  try {
    return readStorageAddress(text);
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : "must be a file: or s3: address");
    return z.NEVER;
  }
});
const room = (usual: number) => number(1, 10_000_000, usual);
const pauses = z
  .string()
  .regex(
    /^\d{1,6}(,\d{1,6}){0,29}$/,
    "must be 1 to 30 whole numbers of seconds with commas between",
  )
  .transform((text) => text.split(",").map(Number));
const secret = z.string().min(32, "must have at least 32 characters");

/** The environment that the service reads: every name, its bounds and its default. */
export const Environment = z.object({
  NODE_ENV: z.string().default("development"),
  PORT: number(0, 65_535, 3000),
  HOST: z.string().default("127.0.0.1"),
  BASE_URL: base.optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must start with postgres:// or postgresql://")
    .optional(),
  DATA_DIR: z.string().default(".data"),
  APP_SECRET: secret.optional(),
  APP_SECRET_PREVIOUS: secret.optional(),
  SIGN_UP: z.enum(["open", "invited", "closed"]).default("open"),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be an smtp or smtps address" }).optional(),
  MAIL_FROM: z.string().default("Workspace Board Service <boards@localhost>"),
  PASSWORD_RESET_URL: address.optional(),
  MAIL_DELAY: number(0, 86_400, 120),
  STORAGE_URL: storage.optional(),
  ATTACHMENTS_QUOTA: number(1, 1_000_000_000, 10_240),
  LIMIT_BOARDS: room(defaultLimits.boards),
  LIMIT_MEMBERS: room(defaultLimits.members),
  LIMIT_WEBHOOKS: room(defaultLimits.webhooks),
  LIMIT_LABELS: room(defaultLimits.labels),
  LIMIT_LISTS: room(defaultLimits.lists),
  LIMIT_CARDS: room(defaultLimits.cards),
  LIMIT_CHECKLISTS: room(defaultLimits.checklists),
  LIMIT_ITEMS: room(defaultLimits.checklist_items),
  LIMIT_ATTACHMENTS: room(defaultLimits.attachments),
  TRASH_DAYS: number(1, 3650, 30),
  EVENT_DAYS: number(1, 3650, 90),
  WORKERS: number(0, 64, 2),
  CORS_ORIGINS: list,
  TRUST_PROXY: number(0, 10, 0),
  RATE_LIMIT: number(1, 1_000_000, 100),
  AUTH_RATE_LIMIT: number(1, 1_000_000, 10),
  PASSWORD_HASH_MEMORY: number(8, 1_048_576, 19_456),
  ADMIN_KEY: z.string().optional(),
  METRICS_PORT: whole(1, 65_535).optional(),
  STREAM_LIMIT: number(1, 1_000_000, 50),
  LOG_LEVEL: z.enum(["silent", "fatal", "error", "warn", "info", "debug", "trace"]).default("info"),
  WEBHOOK_ALLOW_HTTP: flag,
  WEBHOOK_ALLOWED_SUBNETS: list.pipe(
    z.array(z.union([z.cidrv4(), z.cidrv6()], { error: "must be subnets such as 10.0.0.0/8" })),
  ),
  WEBHOOK_RETRY_SCHEDULE: pauses.default([
    5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
  ]),
  WEBHOOK_CONCURRENCY: number(0, 4_096, 256),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  GITHUB_URL: base.default("https://github.com"),
  GITHUB_API_URL: base.default("https://api.github.com"),
  OIDC_ISSUER: address.optional(),
  OIDC_AUDIENCE: list,
  TRELLO_API_KEY: z.string().optional(),
  TRELLO_URL: base.default("https://trello.com"),
  TRELLO_API_URL: base.default("https://api.trello.com"),
  RETURN_URLS: list.pipe(z.array(address)),
});

/** The environment, read and checked. */
export type Config = z.infer<typeof Environment>;

/** Reads the environment; throws one error that names every fault, what it was and what is allowed. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const read = Environment.safeParse(set);
  const faults = read.success ? [] : read.error.issues.map((issue) => fault(issue, set));
  if (set["NODE_ENV"] === "production" && set["DATABASE_URL"] && !set["APP_SECRET"]) {
    faults.push("APP_SECRET is missing: in production with a DATABASE_URL it must be set");
  }
  if (set["OIDC_ISSUER"] && !set["OIDC_AUDIENCE"]) {
    faults.push("OIDC_AUDIENCE is missing: with an OIDC_ISSUER it says whose tokens are for us");
  }
  if (!read.success || faults.length > 0) {
    throw new Error(
      `The configuration is wrong:\n${faults.map((line) => `  - ${line}`).join("\n")}`,
    );
  }
  return read.data;
}

/** Where the service is reached from outside. */
export const baseUrlOf = ({ BASE_URL, HOST, PORT }: Pick<Config, "BASE_URL" | "HOST" | "PORT">) =>
  BASE_URL ?? `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${PORT}`;

/** How many of each kind of thing there may be. */
export const limitsOf = (config: Config): Limits => ({
  boards: config.LIMIT_BOARDS,
  members: config.LIMIT_MEMBERS,
  webhooks: config.LIMIT_WEBHOOKS,
  labels: config.LIMIT_LABELS,
  lists: config.LIMIT_LISTS,
  cards: config.LIMIT_CARDS,
  checklists: config.LIMIT_CHECKLISTS,
  checklist_items: config.LIMIT_ITEMS,
  attachments: config.LIMIT_ATTACHMENTS,
});

function fault(issue: z.core.$ZodIssue, env: Record<string, string | undefined>) {
  const name = String(issue.path[0]);
  const was = /SECRET|KEY|^(?:STORAGE|DATABASE|SMTP)_URL$/.test(name)
    ? "a value"
    : JSON.stringify(env[name]);
  return `${name} was ${was}: ${issue.message}`;
}
