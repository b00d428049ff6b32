import { createHash } from "node:crypto";
import type { AnyProcedure, AnyRouter } from "@trpc/server";
import { Hono, type Context as HonoContext } from "hono";
import type { z } from "zod";
import type { Operation } from "../../contract/policy.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { Failure, type Issue } from "../../platform/errors.ts";
import type { Meta } from "../../kernel/request/trpc.ts";
import { answerFailure } from "./answer.ts";
import { bytesOf, readJson } from "../../platform/http/body.ts";
import type { ResponseMeta } from "../../kernel/request/context.ts";
import { nameIn } from "../../platform/http/disposition.ts";
import { count, createContext, refuse, requestIdOf } from "./create-context.ts";
import { matches } from "./etag.ts";
import { answerFile } from "./file.ts";
import { queryReader } from "./query.ts";
import type { RestOptions } from "../../kernel/request/rest.ts";
import { answerMade } from "./stream.ts";
import { answerStream } from "./sse.ts";

/** One procedure as REST shows it: `path` with `{ids}`, under `/api/v1`. */
export type Route = {
  name: string;
  operation: Operation;
  method: string;
  path: string;
  more: RestOptions;
  procedure: AnyProcedure;
  schema: z.ZodObject;
  needsCredential: boolean;
};

/** Every procedure that has a REST face, the fixed paths before those with an id in the same place. */
export function routesOf(router: AnyRouter): Route[] {
  const procedures: Record<string, AnyProcedure> = router._def.procedures;
  return Object.entries(procedures)
    .flatMap(([name, procedure]): Route[] => {
      // The metadata and the inputs of a procedure are untyped in tRPC; `may` set both.
      const { meta, inputs } = procedure._def as unknown as { meta: Meta; inputs: z.ZodObject[] };
      const [schema] = inputs;
      const { operation, openapi, more = {} } = meta;
      if (openapi === undefined || operation === undefined || schema === undefined) return [];
      const { method, path, protect } = openapi;
      const needsCredential = protect !== false;
      return [{ name, operation, method, path, more, procedure, schema, needsCredential }];
    })
    .toSorted((one, other) => inOrder(rank(one.path), rank(other.path)));
}

// By code unit "~" comes after every letter, which it does in no language.
const rank = (path: string) => path.replace(/\{[^}]+\}/g, "~");
const inOrder = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** The REST face: a route a procedure, which calls the procedure itself. */
export function restRoutes(router: AnyRouter, deps: Deps): Hono {
  const app = new Hono();
  const methods = new Map<string, string[]>();
  const heads = new Set<string>();
  for (const route of routesOf(router)) {
    for (const path of [route.path, route.more.alias ?? []].flat()) {
      const pattern = path.replace(/\{(\w+)\}/g, ":$1");
      methods.set(pattern, [...(methods.get(pattern) ?? []), route.method]);
      if (route.method === "GET" && !route.more.page) heads.add(pattern);
      app.on(route.method, pattern, handler(route, deps));
    }
  }
  for (const [pattern, known] of methods) {
    const allow = (heads.has(pattern) ? [...known, "HEAD"] : known).join(", ");
    app.all(pattern, (c) => {
      const failure = new Failure("METHOD_NOT_SUPPORTED", [], { Allow: allow });
      return refuse(c, deps, failure);
    });
  }
  return app;
}

function handler({ name, method, procedure, schema, path, more }: Route, deps: Deps) {
  const readQuery = queryReader(schema);
  const type = procedure._def.type;
  const takesBytes = more.requestBody === "bytes";
  const queryIsInput = takesBytes || method === "GET" || (method === "DELETE" && !more.inBody);
  return async (c: HonoContext): Promise<Response> => {
    // Whoever only looks must not use up what can be used once.
    if (more.page && c.req.method === "HEAD") {
      return refuse(c, deps, new Failure("METHOD_NOT_SUPPORTED", [], { Allow: method }));
    }
    const requestId = requestIdOf(c.req.raw);
    const headers: Record<string, string> = { "X-Request-Id": requestId };
    const isStream = more.events !== undefined;
    const ctx = await createContext(
      c,
      deps,
      requestId,
      isStream ? c.req.query("ticket") : undefined,
    );
    if (takesBytes) ctx.requestBody = bytesOf(c.req.raw);
    try {
      Object.assign(headers, await count(ctx));
      const getRawInput = once(async () => {
        const body = method === "GET" || takesBytes ? {} : await readJson(c.req.raw);
        const query = readQuery(new URL(c.req.url).searchParams);
        if (takesBytes && "filename" in schema.shape) {
          query["filename"] ??= nameIn(c.req.header("content-disposition"));
        }
        if (isStream) {
          delete query["ticket"];
          const lastEventId = c.req.header("last-event-id");
          if (lastEventId !== undefined) query["lastEventId"] = lastEventId;
        }
        return assemble(c.req.param(), query, body, queryIsInput);
      });
      const { signal } = c.req.raw;
      const output = await procedure({ ctx, getRawInput, path: name, type, signal, batchIndex: 0 });
      const { file, eventStream, stream } = ctx.responseMeta;
      if (eventStream !== undefined) return answerStream(c, eventStream, ctx, headers);
      if (file !== undefined) return await answerFile(c.req.raw, file, deps.files, headers);
      if (stream !== undefined) return await answerMade(c.req.raw, stream, headers, deps.log);
      return answer(c, JSON.stringify(output), headers, ctx.responseMeta);
    } catch (error) {
      const replayed = ctx.responseMeta.replayed ? { "Idempotency-Replayed": "true" } : {};
      return answerFailure(error, requestId, deps, { ...headers, ...replayed }, { method, path });
    }
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}

/** One input of path, query and body; a field that is in the wrong one of them is a fault. */
function assemble(
  params: Record<string, string>,
  query: Record<string, unknown>,
  body: Record<string, unknown>,
  queryIsInput: boolean,
): Record<string, unknown> {
  const issues: Issue[] = [];
  for (const key of Object.keys(query)) {
    if (!queryIsInput) issues.push({ message: "Unknown query parameter", path: [key] });
    else if (Object.hasOwn(params, key))
      issues.push({ message: "Stands in the path", path: [key] });
  }
  for (const key of Object.keys(body)) {
    if (Object.hasOwn(params, key)) issues.push({ message: "Stands in the path", path: [key] });
  }
  if (issues.length > 0) throw new Failure("BAD_REQUEST", issues);
  return Object.fromEntries([params, query, body].flatMap((part) => Object.entries(part)));
}

function answer(
  c: HonoContext,
  body: string,
  headers: Record<string, string>,
  reply: ResponseMeta,
) {
  if (reply.redirect !== undefined) return c.redirect(reply.redirect, 303);
  if (reply.page !== undefined) return c.html(`<!doctype html><p>${reply.page}</p>`, 200, headers);
  headers["Content-Type"] = "application/json";
  // It is one caller's, and a browser may keep it only to ask again with its ETag; tokens and secrets not even that.
  headers["Cache-Control"] = isRead(c.req.method) ? "private, no-cache" : "no-store";
  if (reply.replayed) headers["Idempotency-Replayed"] = "true";
  const tag = etag(c.req.method, reply.version, body);
  if (tag !== undefined) headers["ETag"] = tag;
  if (tag !== undefined && matches(c.req.header("if-none-match"), tag) && isRead(c.req.method)) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(body, { headers });
}

const isRead = (method: string) => method === "GET" || method === "HEAD";

/** `"version"` after a write; after a read `"version-digest"`, since more than the version may have changed. */
function etag(method: string, version: number | undefined, body: string): string | undefined {
  if (!isRead(method)) return version === undefined ? undefined : `"${version}"`;
  const digest = createHash("sha1").update(body).digest("base64url").slice(0, 16);
  return version === undefined ? `"${digest}"` : `"${version}-${digest}"`;
}
