import { createHash } from "node:crypto";
import type { AnyRouter } from "@trpc/server";
import { Hono } from "hono";
import { stringify } from "yaml";
import type { Deps } from "../../kernel/request/deps.ts";
import { matches } from "../rest/etag.ts";
import { createDocument } from "./document.ts";

/** `/openapi.json` and `/openapi.yaml`, made when somebody first asks: most processes never are, and it takes memory and time at the start. */
export function documentRoutes(router: AnyRouter, { baseUrl }: Pick<Deps, "baseUrl">): Hono {
  const app = new Hono();
  const faces = [
    ["/openapi.json", "application/json", JSON.stringify],
    [
      "/openapi.yaml",
      "application/yaml",
      (document: object) => stringify(document, { aliasDuplicateObjects: false }),
    ],
  ] as const;
  for (const [path, type, write] of faces) {
    const made = once(() => {
      const text = write(createDocument(router, baseUrl));
      return { text, etag: `"${createHash("sha1").update(text).digest("base64url")}"` };
    });
    app.get(path, (c) => {
      const { text, etag } = made();
      const headers = { ETag: etag, "Cache-Control": "no-cache" };
      return matches(c.req.header("if-none-match"), etag)
        ? c.body(null, 304, headers)
        : c.body(text, 200, { ...headers, "Content-Type": type });
    });
  }
  return app;
}

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}
