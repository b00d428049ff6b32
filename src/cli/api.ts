import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { request, type Dispatcher } from "undici";
import { z } from "zod";
import type { ConnectionSettings } from "./config.ts";
import { CliFailure, exits, unreachable } from "./failure.ts";

type Sent = {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  json?: unknown;
  headers?: Record<string, string>;
  /** What the path is relative to: the REST API unless it says another. */
  root?: string;
  /** Reads the body, from its start at each call. */
  bytes?: () => AsyncIterable<Uint8Array>;
  length?: number;
  /** Whether the body can be read once only, such as a pipe. */
  readOnce?: boolean;
  /** Called before a wait for the rate limit. */
  onWait?: (seconds: number) => void;
  signal?: AbortSignal;
};

type Credentials = {
  [Secret in "token" | "adminKey"]: ConnectionSettings[Secret] | undefined;
};

/** The REST API of a service, as commands use it. */
export type Api = {
  /** Calls, and validates the answer with a schema. */
  json<Answer>(schema: z.ZodType<Answer>, path: string, init?: Sent): Promise<Answer>;
  /** Calls, and returns the body of the answer as bytes. */
  bytes(path: string, signal: AbortSignal): Promise<Dispatcher.ResponseData>;
};

const Failed = z.object({
  message: z.string(),
  issues: z.array(
    z.object({
      message: z.string(),
      path: z.array(z.union([z.string(), z.number()])).optional(),
    }),
  ),
});

const exitOf: Record<number, number> = {
  400: exits.usage,
  401: exits.refused,
  403: exits.refused,
  404: exits.notFound,
  409: exits.conflict,
  413: exits.badFile,
  503: exits.unreachable,
};
const maxTries = 5;
/** A limit of a day is an error: the wait would be hours. */
const longestWait = 60;

/** Creates a client of a service; the token is optional. A refusal throws the service's message. */
export function createApi({
  url,
  token,
  adminKey,
}: Partial<ConnectionSettings> & Pick<ConnectionSettings, "url">): Api {
  const once = async (path: string, init: Sent) => {
    const { method = "GET", json, bytes, length, signal, root = "/api/v1" } = init;
    const credentials = await credentialsOf({ token, adminKey });
    const headers: Record<string, string> = { ...credentials, ...init.headers };
    if (json !== undefined) headers["content-type"] = "application/json";
    if (length !== undefined) headers["content-length"] = String(length);
    const stream = bytes === undefined ? undefined : Readable.from(bytes());
    const body = json === undefined ? stream : JSON.stringify(json);
    try {
      return await request(`${url}${root}${path}`, {
        method,
        headers,
        // A large file is read to its end before it is answered.
        headersTimeout: 0,
        bodyTimeout: 120_000,
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof CliFailure ? error : unreachable(url, error);
    }
  };
  const call = async (path: string, init: Sent): Promise<Dispatcher.ResponseData> => {
    for (let attempt = 1; ; attempt++) {
      const response = await once(path, init);
      if (response.statusCode < 400) return response;
      const seconds = waitOf(response);
      const isLast = attempt === maxTries || init.readOnce === true || seconds > longestWait;
      if (response.statusCode !== 429 || isLast) throw await refusal(response, init);
      // The service may close the connection of an upload that it has not read.
      await response.body.dump().catch(() => undefined);
      init.onWait?.(seconds);
      await pause(seconds * 1_000, undefined, { signal: init.signal }).catch((error: unknown) => {
        init.signal?.throwIfAborted();
        throw error;
      });
    }
  };
  return {
    async json(schema, path, init = {}) {
      const { body } = await call(path, init);
      const text = await body.text().catch((error: unknown) => {
        throw unreachable(url, error);
      });
      try {
        return schema.parse(JSON.parse(text));
      } catch (error) {
        const message = `${url} answers, but not as this service does: is the address right?`;
        throw new CliFailure(exits.unreachable, message, { cause: error });
      }
    },
    bytes: (path, signal) => call(path, { signal }),
  };
}

/** The headers that say who calls. */
async function credentialsOf({ token, adminKey }: Credentials) {
  const current = typeof token === "function" ? await token() : token;
  return {
    ...(current === undefined ? {} : { authorization: `Bearer ${current}` }),
    ...(adminKey === undefined ? {} : { "x-admin-key": adminKey }),
  };
}

/** The seconds to wait by `Retry-After`, which may also be a date; 1 without it. */
function waitOf({ headers }: Dispatcher.ResponseData): number {
  const after = String(headers["retry-after"] ?? 1);
  const seconds = /^\d+$/.test(after) ? Number(after) : (Date.parse(after) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? 1 : Math.max(seconds, 0);
}

/** The failure of a refused call: the messages of its issues, one per line. */
async function refusal(response: Dispatcher.ResponseData, { bytes }: Sent): Promise<CliFailure> {
  const { statusCode, body } = response;
  const text = await body.text().catch(() => "");
  const isBadFile = statusCode === 400 && bytes !== undefined;
  const exit = isBadFile ? exits.badFile : (exitOf[statusCode] ?? exits.failed);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return new CliFailure(exit, `The service answered with status ${statusCode}.`);
  }
  const failed = Failed.safeParse(json);
  if (!failed.success)
    return new CliFailure(exit, `The service answered with status ${statusCode}.`);
  const { message, issues } = failed.data;
  const lines = issues.map((issue) =>
    issue.path === undefined || issue.path.length === 0
      ? issue.message
      : `${issue.path.join(".")}: ${issue.message}`,
  );
  return new CliFailure(exit, [`${message} (${statusCode}).`, ...lines].join("\n  "));
}
