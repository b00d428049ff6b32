import { filterIssues, isFilter } from "../../contract/filter/check.ts";
import { filterLimits, type FilterTree } from "../../contract/filter/tree.ts";
import { invalidInput } from "../../platform/errors.ts";
import type { z } from "zod";
import type { FieldValues } from "../../contract/resources/fields.ts";
import type { Values } from "./arguments.ts";
import type { Contents, Find } from "./find.ts";
import { pick } from "./pick.ts";
import { minutes, type ShowValues } from "./show.ts";
import { quoted } from "./text.ts";

type FieldsByName = z.infer<typeof Values>;
type Field = Contents["fields"][number];

/** So many options of a field are on the text of a board. */
const maxOptions = 30;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type IdOf = (named: string) => Promise<string>;

/** How the values of a field name an option or a member; undefined if they are no ids. */
function idsOf(find: Find, boardPublicId: string, { type, options }: Field): IdOf | undefined {
  if (type === "member") return (named) => find.member(boardPublicId, named);
  if (type !== "select" && type !== "multiSelect") return undefined;
  return async (named) => pick("option", named, options, ({ name }) => [name]).publicId;
}

/** Values of custom fields by the ids of the fields, as operations take them. */
export async function valuesByIds(
  find: Find,
  boardPublicId: string,
  named: FieldsByName | undefined,
): Promise<FieldsByName | undefined> {
  if (named === undefined) return undefined;
  const values: FieldsByName = {};
  for (const [name, value] of Object.entries(named)) {
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

/** The value of a condition, with ids for what it names. */
const valueByIds = async (value: unknown, idOf: IdOf): Promise<unknown> =>
  Array.isArray(value)
    ? Promise.all(value.map((one) => (typeof one === "string" ? idOf(one) : one)))
    : typeof value === "string"
      ? idOf(value)
      : value;

/** A condition on what it names, by ids. */
async function leafByIds(
  find: Find,
  boardPublicId: string,
  leaf: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { field: name, value } = leaf;
  if (typeof name !== "string") return leaf;
  const custom = /^fields\.(.+)$/s.exec(name)?.[1];
  const field = custom === undefined ? undefined : await find.field(boardPublicId, custom);
  const idOf =
    field === undefined ? idsOfField(find, boardPublicId)[name] : idsOf(find, boardPublicId, field);
  return {
    ...leaf,
    ...(field === undefined ? {} : { field: `fields.${field.publicId}` }),
    ...(idOf === undefined || value === undefined ? {} : { value: await valueByIds(value, idOf) }),
  };
}

const idsOfField = (find: Find, boardPublicId: string): Readonly<Record<string, IdOf>> => ({
  labels: async (named) => (await find.label(boardPublicId, named)).publicId,
  listPublicId: async (named) => (await find.listOf(boardPublicId, named)).publicId,
  members: (named) => find.member(boardPublicId, named),
  claim: (named) => find.member(boardPublicId, named),
});

/** A filter that names lists, labels, members, fields and options, with their ids. */
export async function filterByIds(
  find: Find,
  boardPublicId: string,
  given: unknown,
): Promise<FilterTree> {
  const nodeOf = async (node: unknown, depth: number): Promise<unknown> => {
    if (!isRecord(node) || depth > filterLimits.depth) return node;
    for (const group of ["and", "or", "not"]) {
      const inner = node[group];
      if (inner === undefined) continue;
      const trees = [inner].flat().slice(0, filterLimits.leaves + 1);
      const nodes = await Promise.all(trees.map((one) => nodeOf(one, depth + 1)));
      return { ...node, [group]: Array.isArray(inner) ? nodes : nodes[0] };
    }
    return leafByIds(find, boardPublicId, node);
  };
  const filter = await nodeOf(given, 0);
  if (isFilter(filter)) return filter;
  const issues = filterIssues(filter).map(({ message, path }) => ({
    message,
    path: ["filter", ...path],
    code: "invalid_value" as const,
  }));
  throw invalidInput(issues);
}

/** The custom fields of a board, one on each line. */
export const fieldLines = ({ fields }: Pick<Contents, "fields">): string[] =>
  fields.map(({ name, type, options, unit, isShownOnCard }) => {
    const shown = options.slice(0, maxOptions).map((option) => quoted(option.name, 20));
    const rest = options.length - shown.length;
    return [
      `field ${quoted(name, 40)}: ${type}`,
      ...(shown.length === 0 ? [] : [`options ${shown.join(", ")}${rest > 0 ? ", …" : ""}`]),
      ...(unit === null ? [] : [`in ${quoted(unit, 20)}`]),
      ...(isShownOnCard ? [] : ["only on card_get"]),
    ].join("; ");
  });

/** How the values of cards of a board are shown: by the names of fields, options and members. */
export async function valuesShown(
  find: Find,
  { publicId, fields }: Pick<Contents, "publicId" | "fields">,
): Promise<ShowValues> {
  const isMember = fields.some(({ type }) => type === "member");
  const members = isMember ? await find.memberNames(publicId) : new Map<string, string>();
  const nameOf = ({ type, options }: Field, id: string) =>
    (type === "member" ? members.get(id) : options.find((one) => one.publicId === id)?.name) ?? id;
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
