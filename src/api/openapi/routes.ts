import { createHash } from "node:crypto";
import type { AnyRouter } from "@trpc/server";
import { Hono } from "hono";
import { stringify } from "yaml";
import type { Deps } from "../../kernel/request/deps.ts";
import { badRequest } from "../../platform/errors.ts";
import { matchesEtag } from "../rest/etag.ts";
import { createDocument } from "./document.ts";

/**
 * `/openapi.json` and `/openapi.yaml`; `?webhooks=false` leaves the incoming webhooks out.
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
    const reader = (withWebhooks: boolean) =>
      once(() => {
        const text = write(createDocument(router, baseUrl, { withWebhooks }));
        return { text, etag: `"${createHash("sha1").update(text).digest("base64url")}"` };
      });
    const readers = { true: reader(true), false: reader(false) };
    app.get(path, (c) => {
      const webhooks = c.req.query("webhooks") ?? "true";
      if (webhooks !== "true" && webhooks !== "false") {
        throw badRequest("invalid_type", "Must be true or false.", ["webhooks"]);
      }
      const { text, etag } = readers[webhooks]();
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
