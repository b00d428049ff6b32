import { loadOnce } from "../../platform/load-once.ts";
import type { AnyRouter } from "@trpc/server";
import { Hono } from "hono";
import type { Deps } from "../../kernel/request/deps.ts";
import { badRequest } from "../../platform/errors.ts";
import { checkAccepts } from "../rest/accept.ts";
import { countPages } from "../count-pages.ts";
import { sendShared, sharedResponse } from "../built-file.ts";

/**
 * `/openapi.json` and `/openapi.yaml`; `?webhooks=true` adds the requests that webhooks receive.
 *
 * The document is read at the first request: it takes memory that most processes never need.
 */
export function documentRoutes(
  router: AnyRouter,
  deps: Pick<Deps, "baseUrl" | "limits" | "config">,
): Hono {
  const { baseUrl } = deps;
  const app = new Hono();
  const formats = [
    ["/openapi.json", "application/json", async (document: object) => JSON.stringify(document)],
    [
      "/openapi.yaml",
      "application/yaml",
      async (document: object) => {
        const { stringify } = await import("yaml");
        return stringify(document, { aliasDuplicateObjects: false });
      },
    ],
  ] as const;
  for (const [path, type, write] of formats) {
    const reader = (withWebhooks: boolean) =>
      loadOnce(async () => {
        const { readDocument, withoutWebhooks } = await import("./served-document.ts");
        const document = await readDocument(router, baseUrl);
        const text = await write(withWebhooks ? document : withoutWebhooks(document));
        return sharedResponse(Buffer.from(text));
      });
    const readers = { true: reader(true), false: reader(false) };
    app.get(path, countPages(deps), async (c) => {
      checkAccepts([type], c.req.header("accept"));
      const webhooks = c.req.query("webhooks") ?? "false";
      if (webhooks !== "true" && webhooks !== "false") {
        throw badRequest("invalid_type", "Must be true or false.", ["webhooks"]);
      }
      return sendShared(c, await readers[webhooks](), { "Content-Type": type });
    });
  }
  return app;
}
