import { readFileSync } from "node:fs";

/** The service's own version, as package.json says it. */
export const version = String(
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version,
);
