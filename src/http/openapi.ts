import { createHash } from "node:crypto";
import type { AnyRouter } from "@trpc/server";
import { Hono } from "hono";
import { stringify } from "yaml";
import type { Deps } from "../deps.ts";
import { matches } from "./etag.ts";
import { createDocument } from "./openapi/document.ts";

/** `/openapi.json` and `/openapi.yaml`, made once. */
export function documentFace(router: AnyRouter, { baseUrl }: Pick<Deps, "baseUrl">): Hono {
  const app = new Hono();
  const document = createDocument(router, baseUrl);
  const faces = [
    ["/openapi.json", "application/json", JSON.stringify(document)],
    ["/openapi.yaml", "application/yaml", stringify(document, { aliasDuplicateObjects: false })],
  ] as const;
  for (const [path, type, text] of faces) {
    const etag = `"${createHash("sha1").update(text).digest("base64url")}"`;
    app.get(path, (c) => {
      const headers = { ETag: etag, "Cache-Control": "no-cache" };
      return matches(c.req.header("if-none-match"), etag)
        ? c.body(null, 304, headers)
        : c.body(text, 200, { ...headers, "Content-Type": type });
    });
  }
  return app;
}
