import { writeFileSync } from "node:fs";
import { createDocument } from "../api/openapi/document.ts";
import { withoutWebhooks } from "../api/openapi/served-document.ts";
import { baseUrlOf, readConfig } from "../platform/config.ts";
import { appRouter } from "./router/index.ts";

// Writes the OpenAPI document to a file, or to stdout without an argument. With a second file, it
// also writes the document without webhooks there, and both without spaces, for the build.
const [, , file, fileWithoutWebhooks] = process.argv;
const document = createDocument(appRouter, baseUrlOf(readConfig({})));
const print = (value: object) =>
  `${JSON.stringify(value, null, fileWithoutWebhooks === undefined ? 2 : 0)}\n`;
if (file === undefined) process.stdout.write(print(document));
else writeFileSync(file, print(document));
if (fileWithoutWebhooks !== undefined) {
  writeFileSync(fileWithoutWebhooks, print(withoutWebhooks(document)));
}
