import { z } from "zod";
import { cardFields } from "../../contract/fields/card.ts";
import { seenKinds } from "../../contract/vocabulary/relation-kinds.ts";
import { Due } from "../../domain/cards/filters.ts";
import { ToolError } from "./text.ts";

// Arguments that several tools have. Each description costs tokens in every session.
const text = (description: string) => z.string().describe(description);

export const Workspace = text("Name, slug or id.").optional();
export const Board = text("Name or id.").optional();
export const List = text("Name or id.");
export const Card = text("Number such as WEB-12, or id.");
export const RelationKind = z.enum(seenKinds);
export const Cursor = text("From the previous answer.").optional();
export const Labels = z.array(z.string()).max(100).optional();
export const Members = z.array(z.string()).max(100).describe("Names, or me.").optional();
export const DueDate = text("ISO 8601; a date alone is a whole day.").optional();
export const Priority = z.enum(cardFields.priority.input.options);
export const DueIn = z.enum(Due.options);
export const Position = z.enum(["start", "end"]).optional();
export const Values = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]),
);
export const Filter = z.record(z.string(), z.unknown()).optional();

/** The argument that empties fields. A null does not: programs send it for what they do not mean. */
export const clearOf = <const Name extends string>(...names: [Name, ...Name[]]) =>
  z.array(z.enum(names)).describe("Fields to empty.").optional();

/** The changes of a tool, with the fields that are to be empty. */
export function withCleared<Changes extends object, Name extends string>(
  changes: Changes,
  names: readonly Name[] = [],
): Changes & { [Field in Name]?: null } {
  const input = new Map<string, unknown>(Object.entries(changes));
  const both = names.find((name) => input.get(name) !== undefined);
  if (both !== undefined) throw new ToolError(`${both} has a value, and \`clear\` empties it.`);
  return Object.assign({ ...changes }, ...names.map((name) => ({ [name]: null })));
}

export const Override = z.boolean().describe("The list may exceed its limit.").optional();
export const Archived = z.boolean().optional();
