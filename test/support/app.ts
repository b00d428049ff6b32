import { rm } from "node:fs/promises";
import { afterAll, beforeAll } from "vitest";
import { createApp } from "../../src/app/http-application.ts";
import { constants, type Constants } from "../../src/platform/constants.ts";
import type { Database } from "../../src/platform/db/database.ts";
import { scratchDirectory } from "../../src/platform/db/scratch.ts";
import { createDeps, type AppDeps } from "../../src/app/deps.ts";
import { bytesOf, checkResponse, isDescribed, isStream } from "./responses.ts";
import { cheapHashing, configOf } from "./config.ts";
import { takeSlot } from "./slot.ts";
import { waitFor } from "./wait.ts";

/** The settings of an app: variables of the environment, constants, and outgoing requests. */
export type Setting = {
  env?: Record<string, string>;
  constants?: Partial<Constants>;
  outgoing?: AppDeps["outgoing"];
};

/** The constant with which passwords are hashed as in production; tests use a cheap hash. */
export const realPasswordHashing = { PASSWORD_HASH_MEMORY: constants.PASSWORD_HASH_MEMORY };

/** The secret of an app whose environment names no other one. */
export const appSecret = "a secret for tests, 32 characters";

/** One call of a client; an object as `body` is sent as JSON, a string unchanged. */
export type Call = {
  method: string;
  path: string;
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
};

/** A response with its parsed body. */
export type Reply = { status: number; body: any; headers: Headers };

/** The whole service on a database of its own, with a clock that only the test advances. */
export type App = {
  deps: AppDeps;
  db: Database;
  url: string;
  call(call: Call): Promise<Reply>;
  fetch(request: Request): Promise<Response>;
  /** Advances the clock. */
  advance(ms: number): void;
  /** Sets the clock to the current time. */
  resetClock(): void;
  /** For a test that causes a deadlock itself. */
  forgetDeadlocks(): void;
  /** The logged lines of level error and above. */
  errors: string[];
  close(): Promise<void>;
};

/** Starts the whole service. */
export async function startApp({
  env = {},
  constants: others,
  outgoing,
}: Setting = {}): Promise<App> {
  const { url: databaseUrl, db, log, errors, deadlocks, release } = await takeSlot();
  const dataDir = await scratchDirectory();
  let now = Date.now();
  const config = configOf(
    { DATA_DIR: dataDir, RATE_LIMIT: "1000000", AUTH_RATE_LIMIT: "1000000", ...env },
    { ...cheapHashing, ...others },
  );
  const deps = await createDeps({
    config: { ...config, APP_SECRET: config.APP_SECRET ?? appSecret },
    log,
    db,
    clock: () => new Date(now),
    stopping: () => false,
    ...(outgoing === undefined ? {} : { outgoing }),
  });
  const app = createApp(deps);
  return {
    deps,
    db,
    url: databaseUrl,
    errors,
    async fetch(request) {
      const response = await app.fetch(request);
      const { method, url } = request;
      if (isDescribed(method, url))
        await checkResponse(method, url, isStream(response) ? response : response.clone());
      return response;
    },
    async call({ method, path, token, body, headers = {} }) {
      const url = path.startsWith("/trpc") || path.startsWith("/api") ? path : `/api/v1${path}`;
      const response = await app.request(url, {
        method,
        headers: {
          ...(body === undefined || typeof body === "string"
            ? {}
            : { "Content-Type": "application/json" }),
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      // A test that reads a stream uses `fetch`.
      const bytes = isStream(response) ? Buffer.alloc(0) : await bytesOf(response);
      if (isStream(response)) await response.body?.cancel();
      await checkResponse(method, url, response, bytes);
      const text = utf8.decode(bytes);
      return {
        status: response.status,
        headers: response.headers,
        body: text === "" ? undefined : isJson(response) ? JSON.parse(text) : text,
      };
    },
    advance: (ms) => void (now += ms),
    resetClock: () => void (now = Date.now()),
    forgetDeadlocks: () => void (deadlocks.length = 0),
    async close() {
      deps.hub.stop();
      await release();
      await rm(dataDir, { recursive: true, force: true });
      // All operations lock in one order: a deadlock costs a second before it is noticed.
      if (deadlocks.length > 0) throw new Error(`Deadlocks: ${deadlocks.join("\n")}`);
    },
  };
}

/** Expects that a file has closed its streams, and ended its waits. */
const expectIdle = ({ deps }: App) =>
  waitFor(() => {
    if (!deps.hub.isIdle()) throw new Error("This file leaves a stream or a wait open.");
  });

const utf8 = new TextDecoder();

const isJson = ({ headers }: Response) =>
  (headers.get("content-type") ?? "").startsWith("application/json");

let shared: Promise<App> | undefined;

/**
 * The service for all tests of a file; a 500 in any of them fails the file.
 *
 * Without a setting the files of a worker share one app, because a new database and its connections
 * cost more than most tests. Such tests create the users and workspaces that they use. A file that
 * runs jobs, or counts rows of all tenants, sets `isolated` and has an app of its own.
 */
export function useApp(setting: Setting & { isolated?: true } = {}): () => App {
  const isShared = Object.keys(setting).length === 0;
  let app: App | undefined;
  beforeAll(async () => {
    app = await (isShared ? (shared ??= startApp()) : startApp(setting));
    app.resetClock();
    app.errors.length = 0;
  });
  afterAll(async () => {
    if (!isShared) await app?.close();
    // The hub of an open stream reads the database, which a later file would count.
    else if (app !== undefined) await expectIdle(app);
    if (app !== undefined && app.errors.length > 0) throw new Error(app.errors.join("\n"));
  });
  return () => {
    if (app === undefined) throw new Error("The app is available only inside tests.");
    return app;
  };
}
