import { readFile } from "node:fs/promises";
import type { AnyRouter } from "@trpc/server";
import { Hono } from "hono";
import type { Deps } from "../../kernel/request/deps.ts";
import { loadOnce } from "../../platform/load-once.ts";
import { sendShared, sharedAnswer } from "../built-file.ts";
import { countPages } from "../count-pages.ts";

// The build writes it.
const guidesFile = new URL("../../../dist/reference/guides.json", import.meta.url);
const headers = { "Content-Type": "text/markdown; charset=utf-8" };

/** `/llms.txt` and `/llms-full.txt`, for language models that write programs against the API. */
export function llmsRoutes(
  router: AnyRouter,
  deps: Pick<Deps, "baseUrl" | "limits" | "config">,
): Hono {
  const { baseUrl } = deps;
  const app = new Hono();
  const texts = loadOnce(async () => {
    const { readDocument, withoutWebhooks } = await import("../openapi/served-document.ts");
    const { fullText, guideText, indexText, readGuides } = await import("./llms.ts");
    const document = withoutWebhooks(await readDocument(router, baseUrl));
    const guides = readGuides(await readFile(guidesFile, "utf8"));
    const shared = (text: string) => sharedAnswer(new Uint8Array(Buffer.from(text)));
    return new Map([
      ["/llms.txt", shared(indexText(document, guides, baseUrl))],
      ["/llms-full.txt", shared(fullText(document, guides, baseUrl))],
      ...guides.map((guide) => [`/docs/${guide.id}.md`, shared(guideText(guide))] as const),
    ]);
  });
  for (const path of ["/llms.txt", "/llms-full.txt", "/docs/:guide{[a-z-]+\\.md}"]) {
    app.get(path, countPages(deps), async (c, next) => {
      const text = (await texts()).get(c.req.path);
      return text === undefined ? next() : sendShared(c, text, headers);
    });
  }
  return app;
}
