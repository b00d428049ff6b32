/** What a JSON text has: objects, elements and commas, the most fields of one object, its depth. */
export type JsonSize = { objects: number; values: number; fields: number; depth: number };

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Measures a JSON text without parsing it. */
export function measureJson(text: string): JsonSize {
  const size = { objects: 0, values: 0, fields: 0, depth: 0 };
  /** The fields of the objects around the current place. */
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === quote) {
      // To the end of the string.
      for (at++; at < text.length && text.charCodeAt(at) !== quote; at++)
        if (text.charCodeAt(at) === backslash) at++;
    } else if (sign === openObject || sign === openArray) {
      if (sign === openObject) size.objects++;
      else size.values++;
      size.depth = Math.max(size.depth, open.push(0));
    } else if (sign === closeObject || sign === closeArray) open.pop();
    else if (sign === comma) size.values++;
    else if (sign === colon) {
      const fields = (open.pop() ?? 0) + 1;
      open.push(fields);
      size.fields = Math.max(size.fields, fields);
    }
  }
  return size;
}
