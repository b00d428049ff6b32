import { ofetch } from "ofetch";
import type { z } from "zod";
import { badGateway, Failure } from "../errors.ts";

/** What a third party may take: milliseconds per request, milliseconds for a whole call, bytes per answer once decompressed. */
export type Limits = { requestMs: number; totalMs: number; bytes: number };

const usual: Limits = { requestMs: 15_000, totalMs: 60_000, bytes: 8 * 1024 * 1024 };

/** What a third party answered, whatever its status. */
export type Answer = { status: number; headers: Headers; text: string };

/** What is asked of it; the body as it goes over the wire. */
export type Question = { method?: "GET" | "POST"; headers: Record<string, string>; body?: string };

/** Asks one address of a third party; throws 502 when no whole answer comes within the limits. */
export type Caller = (url: string, question: Question) => Promise<Answer>;

const http = ofetch.create({
  retry: false,
  // A redirect would carry the credential to an address that nobody configured.
  redirect: "manual",
  ignoreResponseError: true,
  headers: { "User-Agent": "workspace-board-service" },
});

/** Starts a call of `service` (the name in its failures): all requests made through it share one deadline. */
export function caller(service: string, limits: Partial<Limits> = {}): Caller {
  const { requestMs, totalMs, bytes } = { ...usual, ...limits };
  const deadline = performance.now() + totalMs;
  return async (url, question) => {
    const left = Math.max(0, Math.floor(Math.min(requestMs, deadline - performance.now())));
    const signal = AbortSignal.timeout(left);
    try {
      const response = await http.raw(url, { ...question, signal, responseType: "stream" });
      const text = await readText(service, response._data, bytes);
      return { status: response.status, headers: response.headers, text };
    } catch (error) {
      if (error instanceof Failure) throw error;
      // Never passed on as a cause: it holds the request, and with it the credential.
      throw badGateway(
        signal.aborted
          ? `${service} did not answer in time.`
          : `${service} could not be reached (${codeOf(error) ?? "connection failed"}).`,
      );
    }
  };
}

async function readText(
  service: string,
  stream: ReadableStream<Uint8Array> | undefined,
  most: number,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    if (size > most) throw badGateway(`${service} answered more than ${most} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string" && /^[A-Z0-9_]+$/.test(error.code)) {
    return error.code;
  }
  return codeOf(error.cause);
}

const unreadable = (service: string) =>
  badGateway(`${service} answered something that cannot be understood.`);

/** A value of the schema's shape; throws 502 when it is any other, without repeating what it was. */
export function readShape<T>(service: string, schema: z.ZodType<T>, value: unknown): T {
  const { success, data } = schema.safeParse(value);
  if (!success) throw unreadable(service);
  return data;
}

/** JSON text read by the schema; throws 502 when it is anything else. */
export function readJson<T>(service: string, schema: z.ZodType<T>, text: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable(service);
  }
  return readShape(service, schema, value);
}

/** A path under a configured address, which may end with a slash. */
export const under = (base: string, path: string) => `${base.replace(/\/+$/, "")}${path}`;

/** The third party's own time in milliseconds, so that a clock that runs wrong here does not shift its resets. */
export function timeOf(headers: Headers): number {
  const theirs = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(theirs) ? Date.now() : theirs;
}

/** The seconds that `Retry-After` asks for, written as a number or as a date; undefined when it says nothing. */
export function retryAfter(headers: Headers): number | undefined {
  const value = headers.get("retry-after") ?? "";
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : (date - timeOf(headers)) / 1000;
}
