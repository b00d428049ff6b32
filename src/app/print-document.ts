import { writeFileSync } from "node:fs";
import { createDocument } from "../api/openapi/document.ts";
import { baseUrlOf, readConfig } from "../platform/config.ts";
import { appRouter } from "./router/index.ts";

// Writes the OpenAPI document to a file, or to stdout without an argument. `--compact` leaves out
// spaces: the service reads that file.
const [, , file, compact] = process.argv;
const document = createDocument(appRouter, baseUrlOf(readConfig({})));
const text = `${JSON.stringify(document, null, compact === "--compact" ? 0 : 2)}\n`;
if (file === undefined) process.stdout.write(text);
else writeFileSync(file, text);
