import { measureJson } from "../json/measure.ts";
import { loadShape, type Origin } from "./response-shapes.ts";

/** This module, which threads load. */
export const responseModule = import.meta.url;

/** The most objects and other values of an answer. */
export type ResponseSize = { objects: number; values: number };

/** How an answer is read. */
export type ResponseOptions = {
  shape: Origin;
  /** What is around the value, which is its field `part`. */
  around?: { shape: Origin; part: string } | undefined;
  size?: ResponseSize | undefined;
};

/** What is read of an answer. Without a valid JSON text, `problem` says why. */
type Read = { value?: unknown; isValid?: boolean; around?: unknown; problem?: "json" | "size" };

/** No answer has an object with more fields, or is nested deeper. */
const most = { fields: 1_000, depth: 100 };

/** Parses and validates an answer. Runs in a thread. */
export async function* readJsonResponse(
  bytes: AsyncIterable<Uint8Array>,
  { shape, around, size }: ResponseOptions,
): AsyncGenerator<Read> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const { objects, values, fields, depth } = measureJson(text);
  const isLarge = size !== undefined && (objects > size.objects || values > size.values);
  if (isLarge || fields > most.fields || depth > most.depth) {
    yield { problem: "size" };
    return;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    yield { problem: "json" };
    return;
  }
  if (around === undefined) {
    const { success: isValid, data } = (await loadShape(shape)).safeParse(value);
    yield { value: data, isValid };
    return;
  }
  const outside = (await loadShape(around.shape)).safeParse(value);
  if (!outside.success) {
    yield { problem: "json" };
    return;
  }
  const { [around.part]: inside, ...others } = Object(outside.data);
  const { success: isValid, data } = (await loadShape(shape)).safeParse(inside);
  yield { value: data, isValid, around: { ...others, isNull: (inside ?? null) === null } };
}
