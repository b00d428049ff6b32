import { createHash } from "node:crypto";

/** A digest that identifies something in a file, however long its names are. */
export const idOf = (...parts: string[]) =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
