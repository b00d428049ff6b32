import type { Context as HonoContext, Hono } from "hono";
import { z } from "zod";
import { readJsonBody, bodyBytes } from "../../platform/http/body.ts";
import type { Context } from "../../kernel/request/context.ts";
import { LoopTurns } from "../../platform/loop-turns.ts";
import { kanApi } from "../kan-paths.ts";
import { copyCallLog } from "../rest/call-log.ts";
import { readingOf, requestIdOf } from "../rest/create-context.ts";
import { recordInnerCall } from "../rest/inner-calls.ts";

type Parameters = Record<string, string | null | undefined>;
type Query = URLSearchParams | Parameters;

/** Thrown when a call of the REST API is refused; its response becomes the answer. */
export class Refused extends Error {
  readonly response: Response;
  constructor(response: Response) {
    super(`The REST API answered ${response.status}.`);
    this.response = response;
  }
}

/** Headers of the request to the mount that its inner calls do not get. */
const notPassed = [
  "accept",
  "accept-encoding",
  "content-length",
  "content-type",
  "if-modified-since",
  "if-none-match",
  "range",
  "transfer-encoding",
];

/** Headers of the last inner call that the response passes on. */
const passedOn = ["Last-Event", "Idempotency-Replayed"];

/** A request to the mount, and the calls of the REST API that answer it, as the same caller. */
export class RestCalls {
  readonly query: URLSearchParams;
  readonly headers: Record<string, string>;
  /** Lets others use the event loop while the answer is made. */
  readonly turns = new LoopTurns();
  readonly #c: HonoContext;
  readonly #rest: Hono;
  readonly #ctx: Context;
  #calls = 0;

  /** `ctx` is that of the request, which was counted; `headers` gets those of the answer. */
  constructor(c: HonoContext, rest: Hono, ctx: Context, headers: Record<string, string>) {
    this.headers = headers;
    this.#c = c;
    this.#rest = rest;
    this.#ctx = ctx;
    this.query = new URL(c.req.url).searchParams;
  }

  /** The parameter of a path. */
  id(name: string): string {
    return this.#c.req.param(name) ?? "";
  }

  get deps(): Context["deps"] {
    return this.#ctx.deps;
  }

  /** The JSON object that was sent. */
  body(): Promise<Record<string, unknown>> {
    // The inner calls that get it record its size.
    const reading = { ...readingOf(this.#ctx, bodyBytes), recordSize: () => undefined };
    return readJsonBody(this.#c.req.raw, reading);
  }

  /** Reads a resource. `{names}` in the path are those of the request's path. */
  async read<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    query: Query = {},
  ): Promise<z.output<Schema>> {
    return schema.parse(await (await this.#call("GET", this.#address(path, query))).json());
  }

  /** Reads all pages of a list. */
  async readAll<Item extends z.ZodType>(
    item: Item,
    path: string,
    query: Parameters = {},
  ): Promise<z.output<Item>[]> {
    const Page = z.object({ items: z.array(item), nextCursor: z.string().nullable() });
    const items: z.output<Item>[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.read(Page, path, { ...query, limit: "100", cursor });
      items.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return items;
  }

  /** Reads the lines of a stream. */
  async *lines(path: string, query: Query): AsyncGenerator<string> {
    const { body } = await this.#call("GET", this.#address(path, query));
    let partialLine = "";
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (partialLine + chunk).split("\n");
      partialLine = lines.pop() ?? "";
      yield* lines;
    }
  }

  /** Sends a write. */
  async send<Schema extends z.ZodType>(
    method: "POST" | "PUT" | "DELETE",
    schema: Schema,
    path: string,
    body?: object,
  ): Promise<z.output<Schema>> {
    return schema.parse(await (await this.#call(method, this.#address(path, {}), body)).json());
  }

  #address(path: string, query: Query): string {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(this.id(name)),
    );
    const entries = query instanceof URLSearchParams ? [...query] : Object.entries(query);
    const parameters = new URLSearchParams(
      entries.flatMap(([name, value]): [string, string][] =>
        value === undefined || value === null ? [] : [[name, value]],
      ),
    );
    return `${new URL(this.#c.req.url).origin}${kanApi}${filled}?${parameters.toString()}`;
  }

  async #call(method: string, address: string, body?: object): Promise<Response> {
    const { raw } = this.#c.req;
    const headers = new Headers(raw.headers);
    for (const name of notPassed) headers.delete(name);
    headers.set("X-Request-Id", requestIdOf(raw));
    if (body !== undefined) headers.set("Content-Type", "application/json");
    const request = new Request(address, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (this.#calls++ > 0) await this.#ctx.chargeCalls?.(1);
    recordInnerCall(request, this.#ctx);
    const response = await this.#rest.fetch(request, this.#c.env);
    copyCallLog(request, raw);
    if (!response.ok) throw new Refused(response);
    for (const name of passedOn) {
      const value = response.headers.get(name);
      if (value !== null) this.headers[name] = value;
    }
    return response;
  }
}

/** What a call returns; undefined if it is refused with one of the statuses, 403 by default. */
export const ifAllowed = <Result>(calling: Promise<Result>, statuses = [403]) =>
  calling.catch((error: unknown) => {
    if (!(error instanceof Refused) || !statuses.includes(error.response.status)) throw error;
    return undefined;
  });
