import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSeal, Unsealable, type Seal } from "../platform/crypto/seal.ts";
import type { Config } from "../platform/config.ts";
import type { Deps } from "../kernel/request/deps.ts";
import type { Database } from "../platform/db/database.ts";
import type { Query } from "../platform/db/query.ts";
import { isReadOnly } from "../platform/db/database-errors.ts";
import { sql, type Sql } from "../platform/db/sql.ts";
import { unavailable } from "../platform/errors.ts";

const purpose = "fingerprint of the secret";
const content = "this is the secret";

/** What the log says about a service with a wrong secret. */
export const secretAdvice =
  "APP_SECRET is not the one of this database: the service answers no calls and runs no jobs. " +
  "Set APP_SECRET to the secret with which the database was used, or move that one to " +
  "APP_SECRET_PREVIOUS, and start again. If it is lost: DELETE FROM secret_fingerprints; then all " +
  "sessions end, and stored secrets of webhooks, invite links and connections cannot be read.";

const fileIn = (dataDir: string) => join(dataDir, "app-secret");

/** The settings with the secret: by default that of the data directory. */
export const withSecret = async (config: Config): Promise<Config & { APP_SECRET: string }> => ({
  ...config,
  APP_SECRET: config.APP_SECRET ?? (await loadOrCreateSecret(config.DATA_DIR)),
});

/** Loads the secret of the data directory, or creates it. Only its owner can read it. */
async function loadOrCreateSecret(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  await writeFile(fileIn(dataDir), randomBytes(32).toString("base64url"), {
    flag: "wx",
    mode: 0o600,
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  return (await readFile(fileIn(dataDir), "utf8")).trim();
}

/** The secret of the data directory, if it has one. */
export const loadSecret = (dataDir: string): Promise<string | undefined> =>
  readFile(fileIn(dataDir), "utf8").then(
    (text) => text.trim(),
    () => undefined,
  );

type Secrets = { APP_SECRET: string } & Pick<Config, "APP_SECRET_PREVIOUS">;

/** 503 for all calls of a service with a wrong secret. */
export const wrongSecret = () =>
  unavailable("secret_mismatch", "The APP_SECRET of the service is not the one of its database.");

/** Whether the secret of a service is the one of its database; else the log says what to do. */
export async function hasSecretOf(deps: Pick<Deps, "db" | "config" | "log">): Promise<boolean> {
  const hasSecret = await compareSecret(deps);
  if (!hasSecret) deps.log.error(secretAdvice);
  return hasSecret;
}

/**
 * Whether a secret is the one of a database: `new` if it has none yet, `previous` if it is the one
 * before.
 */
export async function secretState(
  query: Query,
  secrets: Secrets,
): Promise<"new" | "current" | "previous" | "wrong"> {
  const stored = await readSealed(query);
  return stored === undefined ? "new" : stateOf(stored, secrets);
}

function stateOf(stored: string, { APP_SECRET, APP_SECRET_PREVIOUS: previous }: Secrets) {
  if (opens(createSeal([APP_SECRET]), stored)) return "current";
  return previous !== undefined && opens(createSeal([previous]), stored) ? "previous" : "wrong";
}

/**
 * Makes a secret the one of a database, and answers whether it is.
 *
 * The first start stores a text that the secret seals. A start that opens it only with the previous
 * secret seals it again: from then on the new one is the secret of the database.
 */
async function compareSecret({ db, config }: Pick<Deps, "db" | "config">): Promise<boolean> {
  const sealed = createSeal([config.APP_SECRET]).seal(purpose, content);
  let stored = await readSealed(db.read);
  if (stored === undefined) {
    const insert = sql`INSERT INTO secret_fingerprints (sealed) VALUES (${sealed})`;
    await written(db, sql`${insert} ON CONFLICT DO NOTHING`);
    // Another instance may have been first.
    stored = await readSealed(db.read);
  }
  // A standby that was never used has no text.
  if (stored === undefined) return true;
  const state = stateOf(stored, config);
  const update = sql`UPDATE secret_fingerprints SET sealed = ${sealed}`;
  if (state === "previous") await written(db, sql`${update} WHERE sealed = ${stored}`);
  return state !== "wrong";
}

async function readSealed(query: Query): Promise<string | undefined> {
  const [row] = await query<{ sealed: string }>(sql`SELECT sealed FROM secret_fingerprints`);
  return row?.sealed;
}

/** Writes, unless the server is read-only: a start after it is writable does that. */
async function written({ write }: Pick<Database, "write">, statement: Sql): Promise<void> {
  await write(statement).catch((error: unknown) => {
    if (!isReadOnly(error)) throw error;
  });
}

function opens(seal: Seal, sealed: string): boolean {
  try {
    return seal.open(purpose, sealed) === content;
  } catch (error) {
    if (error instanceof Unsealable) return false;
    throw error;
  }
}
