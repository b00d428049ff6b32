import { writeFile } from "node:fs/promises";
import { schemaOfExport } from "./schema.ts";

/** Writes the JSON Schema of an exported workspace to a file: `node dist/exports/print.js docs/workspace-export.schema.json`. */
const [, , file = ""] = process.argv;
await writeFile(file, `${JSON.stringify(schemaOfExport(), null, 2)}\n`);
