import { readFile } from "node:fs/promises";
import type { AnyRouter } from "@trpc/server";
import { z } from "zod";
import { atUrl } from "./at-url.ts";
import { usedComponents } from "./used-components.ts";

const Operation = z.looseObject({ tags: z.array(z.string()) });
const Document = z.looseObject({
  info: z.looseObject({}),
  tags: z.array(z.looseObject({ name: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.record(z.string(), z.record(z.string(), z.unknown())),
});
type Document = z.infer<typeof Document>;

// The build writes it: it takes seconds to create the document.
const built = new URL("document.json", import.meta.url);

/** The document as the service serves it. A service that runs from its sources creates it. */
export async function readDocument(router: AnyRouter, baseUrl: string): Promise<Document> {
  const text = await readFile(built, "utf8").catch(() => undefined);
  if (text !== undefined) return atUrl(Document.parse(JSON.parse(text)), baseUrl);
  const { createDocument } = await import("./document.ts");
  return Document.parse(createDocument(router, baseUrl));
}

/** A document without the incoming webhooks and what only they use. */
export function withoutWebhooks(document: object): Omit<Document, "webhooks"> {
  const { webhooks: _, ...rest } = Document.parse(document);
  const operations = Object.values(rest.paths).flatMap((methods) => Object.values(methods));
  const used = new Set(operations.flatMap(({ tags }) => tags));
  return {
    ...rest,
    tags: rest.tags.filter(({ name }) => used.has(name)),
    components: usedComponents(rest),
  };
}
