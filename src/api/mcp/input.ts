import { z } from "zod";
import { invalidInput, type InputIssue } from "../../platform/errors.ts";
import { inputIssues } from "../../kernel/request/error-response.ts";
import { changeBySchema, innerType, isRecord } from "../by-schema.ts";
import { jsonIn } from "./json.ts";

// Programs of agents fill in every argument that a tool has: with null or an empty text for what
// they do not mean, and with text for what is not text.

const isAbsent = (value: unknown) => value === null || value === "";

/** Whether a type takes no value at all. */
const isOptional = (type: unknown) =>
  type instanceof z.ZodType && type.safeParse(undefined).success;

const booleans = new Map([
  ["true", true],
  ["false", false],
]);

/** What a text means where a type is not one of texts. */
function fromText(type: unknown, text: string): unknown {
  if (type instanceof z.ZodNumber) {
    return /^-?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : text;
  }
  if (type instanceof z.ZodBoolean) return booleans.get(text.trim().toLowerCase()) ?? text;
  const isList = type instanceof z.ZodArray;
  if (!isList && !(type instanceof z.ZodObject || type instanceof z.ZodRecord)) return text;
  const value = jsonIn(text);
  return (isList ? Array.isArray(value) : isRecord(value)) ? value : text;
}

function meant(type: unknown, value: unknown): unknown {
  if (typeof value === "string") return fromText(type, value);
  const isPlain = typeof value === "number" || typeof value === "boolean";
  return isPlain && type instanceof z.ZodString ? String(value) : value;
}

/** The fields that are meant. An unknown one stays, to be refused. */
const fieldsMeant = ({ shape }: z.ZodObject, value: Readonly<Record<string, unknown>>) =>
  Object.entries(value).flatMap(([name, field]) =>
    isAbsent(field) && isOptional(shape[name]) ? [] : [[name, field, shape[name]] as const],
  );

/** The arguments of a tool, from what an agent's program sent. Throws 400 with what is wrong. */
export function readArguments(
  input: z.ZodObject,
  given: unknown,
  path: (string | number)[] = [],
): Record<string, unknown> {
  const all = isAbsent(given ?? null) ? {} : given;
  const meantArguments = changeBySchema(input, all, { change: meant, fields: fieldsMeant });
  const { success, error, data } = input.safeParse(meantArguments);
  if (success) return data;
  const issues = inputIssues(error).map((issue) => explained(input, issue));
  throw invalidInput(issues.map((issue) => ({ ...issue, path: [...path, ...(issue.path ?? [])] })));
}

/** An issue that says which fields there are, where one is unknown. */
function explained(input: z.ZodObject, issue: InputIssue): InputIssue {
  const { code, path = [] } = issue;
  if (code !== "unrecognized_keys") return issue;
  const parent = typeAt(input, path.slice(0, -1));
  if (!(parent instanceof z.ZodObject)) return issue;
  const owner = path.length === 1 ? "this tool" : String(path.at(-2));
  const names = Object.keys(parent.shape).join(", ");
  return { ...issue, message: `Unknown field ${path.at(-1)}; ${owner} has ${names}` };
}

/** The type of a part of an input. */
function typeAt(input: unknown, path: (string | number)[]): unknown {
  let type = innerType(input);
  for (const step of path) {
    if (type instanceof z.ZodObject) type = innerType(type.shape[step]);
    else if (type instanceof z.ZodArray) type = innerType(type.element);
    else return undefined;
  }
  return type;
}

/** A message with the parameters that are meant: some programs send null for those that are not. */
export function messageMeant(message: unknown): unknown {
  if (!isRecord(message) || !Object.hasOwn(message, "params")) return message;
  const { params, ...rest } = message;
  if (params === null) return rest;
  if (!isRecord(params)) return message;
  const entries = Object.entries(params).flatMap(([name, value]) => {
    if (value === null) return [];
    if (name !== "arguments" || typeof value !== "string") return [[name, value]];
    const parsed = jsonIn(value);
    return value === "" || parsed === null ? [] : [[name, isRecord(parsed) ? parsed : value]];
  });
  return { ...rest, params: Object.fromEntries(entries) };
}
