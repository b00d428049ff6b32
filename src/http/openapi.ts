import { createHash } from "node:crypto";
import type { AnyRouter } from "@trpc/server";
import { Hono } from "hono";
import { generateOpenApiDocument } from "trpc-to-openapi";
import { stringify } from "yaml";
import type { Deps } from "../deps.ts";

/** The exported document. */
export function createDocument(router: AnyRouter, baseUrl: string): Record<string, unknown> {
  return {
    ...generateOpenApiDocument(router, {
      title: "Workspace Board Service",
      version: "1.0.0",
      baseUrl: `${baseUrl}/api/v1`,
    }),
  };
}

/** `/openapi.json` and `/openapi.yaml`, made once. */
export function documentFace(router: AnyRouter, { baseUrl }: Pick<Deps, "baseUrl">): Hono {
  const app = new Hono();
  const document = createDocument(router, baseUrl);
  const faces = [
    ["/openapi.json", "application/json", JSON.stringify(document)],
    ["/openapi.yaml", "application/yaml", stringify(document)],
  ] as const;
  for (const [path, type, text] of faces) {
    const etag = `"${createHash("sha1").update(text).digest("base64url")}"`;
    app.get(path, (c) =>
      c.req.header("if-none-match") === etag
        ? c.body(null, 304, { ETag: etag })
        : c.body(text, 200, { "Content-Type": type, ETag: etag }),
    );
  }
  return app;
}
