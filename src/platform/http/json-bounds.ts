import { badRequest } from "../errors.ts";

const maxDepth = 100;
const maxKeys = 10_000;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/** Limits the nesting and the keys of a JSON text, before the parser spends time on it. */
export function checkJsonBounds(bytes: Uint8Array): void {
  let depth = 0;
  let keys = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (inString) {
      if (byte === backslash) at++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === colon) keys++;
    else if (opening.has(byte)) depth++;
    else if (closing.has(byte)) depth--;
    if (depth > maxDepth)
      throw badRequest("invalid_json", `The JSON must not nest deeper than ${maxDepth} levels.`);
    if (keys > maxKeys)
      throw badRequest("invalid_json", `The JSON must not have more than ${maxKeys} fields.`);
  }
}
