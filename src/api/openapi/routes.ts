import { createHash } from "node:crypto";
import type { AnyRouter } from "@trpc/server";
import { Hono } from "hono";
import { stringify } from "yaml";
import type { Deps } from "../../kernel/request/deps.ts";
import { matchesEtag } from "../rest/etag.ts";
import { createDocument } from "./document.ts";

/**
 * `/openapi.json` and `/openapi.yaml`.
 *
 * The document is created at the first request: it takes time and memory that most processes never
 * need.
 */
export function documentRoutes(router: AnyRouter, { baseUrl }: Pick<Deps, "baseUrl">): Hono {
  const app = new Hono();
  const formats = [
    ["/openapi.json", "application/json", JSON.stringify],
    [
      "/openapi.yaml",
      "application/yaml",
      (document: object) => stringify(document, { aliasDuplicateObjects: false }),
    ],
  ] as const;
  for (const [path, type, write] of formats) {
    const read = once(() => {
      const text = write(createDocument(router, baseUrl));
      return { text, etag: `"${createHash("sha1").update(text).digest("base64url")}"` };
    });
    app.get(path, (c) => {
      const { text, etag } = read();
      const headers = { ETag: etag, "Cache-Control": "no-cache" };
      return matchesEtag(c.req.header("if-none-match"), etag)
        ? c.body(null, 304, headers)
        : c.body(text, 200, { ...headers, "Content-Type": type });
    });
  }
  return app;
}

function once<Value>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= create());
}
