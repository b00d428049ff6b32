import { filterIssues, isFilter } from "../../contract/filter/check.ts";
import { filterLimits, type FilterTree } from "../../contract/filter/tree.ts";
import { invalidInput } from "../../platform/errors.ts";
import type { z } from "zod";
import type { FieldValues } from "../../contract/resources/custom-fields.ts";
import type { Values } from "./arguments.ts";
import { isRecord } from "../by-schema.ts";
import type { Contents, Find } from "./find.ts";
import { pick } from "./pick.ts";
import { minutes, type ShowValues } from "./show.ts";
import { quoted } from "./text.ts";

type FieldsByName = z.infer<typeof Values>;
type Field = Contents["fields"][number];

/** How many options of a field the text of a board lists. */
const maxOptions = 30;

type IdOf = (nameOrId: string) => Promise<string>;

/** Converts names in the values of a field to ids; undefined if its values are not ids. */
function idsOf(find: Find, boardPublicId: string, { type, options }: Field): IdOf | undefined {
  if (type === "member") return (nameOrId) => find.member(boardPublicId, nameOrId);
  if (type !== "select" && type !== "multiSelect") return undefined;
  return async (nameOrId) => pick("option", nameOrId, options, ({ name }) => [name]).publicId;
}

/** Values of custom fields by the ids of the fields, as operations take them. */
export async function valuesByIds(
  find: Find,
  boardPublicId: string,
  valuesByName: FieldsByName | undefined,
): Promise<FieldsByName | undefined> {
  if (valuesByName === undefined) return undefined;
  const values: FieldsByName = {};
  for (const [name, value] of Object.entries(valuesByName)) {
    const field = await find.field(boardPublicId, name);
    const idOf = idsOf(find, boardPublicId, field);
    const isText = typeof value === "string" && value !== "";
    const texts = isText && field.type === "multiSelect" ? [value] : value;
    if (idOf === undefined) values[field.publicId] = value;
    else if (Array.isArray(texts)) values[field.publicId] = await Promise.all(texts.map(idOf));
    else values[field.publicId] = isText ? await idOf(value) : value;
  }
  return values;
}

/** Replaces the names in a condition's value by ids. */
const valueByIds = async (value: unknown, idOf: IdOf): Promise<unknown> =>
  Array.isArray(value)
    ? Promise.all(value.map((item) => (typeof item === "string" ? idOf(item) : item)))
    : typeof value === "string"
      ? idOf(value)
      : value;

/** Replaces the names in a condition by ids. */
async function leafByIds(
  find: Find,
  boardPublicId: string,
  leaf: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { field: input, value } = leaf;
  if (typeof input !== "string") return leaf;
  const name = fieldsByTools.get(input) ?? input;
  const custom = /^fields\.(.+)$/s.exec(name)?.[1];
  const field = custom === undefined ? undefined : await find.field(boardPublicId, custom);
  const idOf =
    field === undefined ? idsOfField(find, boardPublicId)[name] : idsOf(find, boardPublicId, field);
  return {
    ...leaf,
    field: field === undefined ? name : `fields.${field.publicId}`,
    ...(idOf === undefined || value === undefined ? {} : { value: await valueByIds(value, idOf) }),
  };
}

/** The fields of filters that tools name otherwise, by their names in tools. */
const fieldsByTools: ReadonlyMap<string, string> = new Map([
  ["list", "listPublicId"],
  ["board", "boardPublicId"],
  ["label", "labels"],
  ["member", "members"],
]);

/** A text about fields of filters, in the names of tools. */
const inNamesOfTools = (text: string): string =>
  text.replaceAll("listPublicId", "list").replaceAll("boardPublicId", "board");

const idsOfField = (find: Find, boardPublicId: string): Readonly<Record<string, IdOf>> => ({
  labels: async (nameOrId) => (await find.label(boardPublicId, nameOrId)).publicId,
  listPublicId: async (nameOrId) => (await find.listOf(boardPublicId, nameOrId)).publicId,
  boardPublicId: async (nameOrId) => (await find.board(nameOrId)).publicId,
  members: (nameOrId) => find.member(boardPublicId, nameOrId),
  claim: (nameOrId) => find.member(boardPublicId, nameOrId),
});

/** Replaces the names of lists, labels, members, fields and options in a filter by ids. */
export async function filterByIds(
  find: Find,
  boardPublicId: string,
  filterByNames: unknown,
): Promise<FilterTree> {
  const nodeOf = async (node: unknown, depth: number): Promise<unknown> => {
    if (!isRecord(node) || depth > filterLimits.depth) return node;
    for (const group of ["and", "or", "not"]) {
      const inner = node[group];
      if (inner === undefined) continue;
      const trees = [inner].flat().slice(0, filterLimits.leaves + 1);
      const nodes = await Promise.all(trees.map((tree) => nodeOf(tree, depth + 1)));
      return { ...node, [group]: Array.isArray(inner) ? nodes : nodes[0] };
    }
    return leafByIds(find, boardPublicId, node);
  };
  const filter = await nodeOf(filterByNames, 0);
  if (isFilter(filter)) return filter;
  const issues = filterIssues(filter).map(({ message, path }) => ({
    message: inNamesOfTools(message),
    path: ["filter", ...path],
    code: "invalid_value" as const,
  }));
  throw invalidInput(issues);
}

/** The custom fields of a board, one on each line. */
export const fieldLines = ({ fields }: Pick<Contents, "fields">): string[] =>
  fields.map(({ name, type, options, unit, isShownOnCard }) => {
    const listed = options.slice(0, maxOptions).map((option) => quoted(option.name, 20));
    const unlisted = options.length - listed.length;
    return [
      `field ${quoted(name, 40)}: ${type}`,
      ...(listed.length === 0 ? [] : [`options ${listed.join(", ")}${unlisted > 0 ? ", …" : ""}`]),
      ...(unit === null ? [] : [`in ${quoted(unit, 20)}`]),
      ...(isShownOnCard ? [] : ["only on card_get"]),
    ].join("; ");
  });

/** Shows the values of a board's cards with the names of fields, options and members. */
export async function valuesShown(
  find: Find,
  { publicId, fields }: Pick<Contents, "publicId" | "fields">,
): Promise<ShowValues> {
  const isMember = fields.some(({ type }) => type === "member");
  const members = isMember ? await find.memberNames(publicId) : new Map<string, string>();
  const nameOf = ({ type, options }: Field, id: string) =>
    (type === "member"
      ? members.get(id)
      : options.find((option) => option.publicId === id)?.name) ?? id;
  const textOf = (field: Field, value: FieldValues[string]): string => {
    const { type, unit } = field;
    if (typeof value === "number") return unit === null ? `${value}` : `${value} ${quoted(unit)}`;
    if (typeof value === "boolean") return String(value);
    if (type === "date") return minutes(String(value));
    if (type === "text" || type === "url") return quoted(String(value), 60);
    return [value]
      .flat()
      .map((id) => quoted(nameOf(field, id), 20))
      .join(", ");
  };
  return (values) =>
    fields.flatMap((field) => {
      const value = values[field.publicId];
      return value === undefined ? [] : `${quoted(field.name, 20)} ${textOf(field, value)}`;
    });
}
