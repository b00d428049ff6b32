import { writeFile } from "node:fs/promises";
import { schemaOfExport } from "./schema.ts";

/** Writes the JSON Schema of an exported workspace to the file that the argument names. */
const [, , file = ""] = process.argv;
await writeFile(file, `${JSON.stringify(schemaOfExport(), null, 2)}\n`);
