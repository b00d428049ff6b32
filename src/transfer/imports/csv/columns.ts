import { z } from "zod";
import { cardFields } from "../../../contract/fields/card.ts";
import { fieldsIn, type ColumnsIn } from "../../../contract/fields/field.ts";
import { invalidInput } from "../../../platform/errors.ts";
import { fieldColumnsIn, type FieldColumn, type FieldTypes } from "./fields.ts";

/** What a column of a file can be, beside the fields of cards. */
const otherTargets = [
  "list",
  "labels",
  "members",
  "archivedAt",
  "createdAt",
  "updatedAt",
  "id",
] as const;

/** What a column of a file can be. */
export type Target = ColumnsIn<typeof cardFields, "csv"> | (typeof otherTargets)[number];

const ofCards = fieldsIn(cardFields, "csv").map(([, { column }]) => column);
const isTarget = (name: string): name is Target =>
  ofCards.includes(name) || otherTargets.some((target) => target === name);
export const targets: Target[] = [...ofCards, ...otherTargets].filter(isTarget);

/** Other names of columns, in small letters and without spaces, as other programs export them. */
const synonyms: { readonly [Name in Target]?: string } = {
  title: "name task taskname cardname cardtitle summary subject card",
  description: "notes carddescription details body content",
  list: "listname status column sectioncolumn section bucketname bucket stage state",
  labels: "label tags tag categories category",
  members: "member assignees assignee assignedto owner",
  dueDate: "due dueon deadline",
  startDate: "start starton",
  completedAt: "completed completedon done",
  archivedAt: "archived",
  createdAt: "created createdon",
  updatedAt: "updated lastmodified modified",
  id: "publicid cardid taskid key issuekey",
};

type ColumnOption = `${Target}Column`;

const Column = z.string().max(500).optional();
const optionOf = (target: Target): ColumnOption => `${target}Column`;

/** A record without a static type: the targets decide what it holds. */
const recordOf = (entries: unknown[][]) => Object.fromEntries(entries);

/** The options that name columns. */
export const columnOptions: Record<ColumnOption, typeof Column> = recordOf(
  targets.map((target) => [
    optionOf(target),
    Column.meta({
      description:
        `The name of the column for \`${target}\`; empty to leave it out. Without it, a column ` +
        "with a usual name is used.",
      examples: [target === "list" ? "Status" : target],
    }),
  ]),
);

export type ColumnOptions = { [Option in ColumnOption]?: string | undefined } & {
  fields?: FieldTypes | undefined;
};

/** Which column is which target, by the positions of columns. */
export type Columns = { [Name in Target]?: number };

/** The columns of a file. */
export type FoundColumns = { columns: Columns; fields: FieldColumn[] };

const bare = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/**
 * Finds the columns of targets: named ones, then usual names; and those of custom fields.
 *
 * 400 for a name without column.
 */
export function columnsIn(header: string[], options: ColumnOptions): FoundColumns {
  const columns: Columns = {};
  const names = header.map((name) => name.trim());
  const columnOf = (name: string) => {
    const at = names.indexOf(name.trim());
    return at === -1 ? names.map(bare).indexOf(bare(name)) : at;
  };
  const fields = fieldColumnsIn(names, options.fields, columnOf);
  const missing = Object.keys(options.fields ?? {}).flatMap((name) =>
    columnOf(name) === -1 ? [{ path: ["fields", name], name }] : [],
  );
  for (const target of targets) {
    const name = options[optionOf(target)]?.trim();
    if (name === undefined || name === "") continue;
    const index = columnOf(name);
    if (index === -1) missing.push({ path: [optionOf(target)], name });
    else columns[target] = index;
  }
  if (missing.length > 0) {
    const firstNames = names.slice(0, 20).join(", ");
    throw invalidInput(
      missing.map(({ path, name }) => ({
        code: "invalid_value",
        path,
        message: `The file has no column “${name.slice(0, 100)}”. It has: ${firstNames.slice(0, 500)}`,
      })),
    );
  }
  const bareNames = names.map(bare);
  const used = new Set([...Object.values(columns), ...fields.map(({ at }) => at)]);
  for (const target of targets) {
    if (options[optionOf(target)] !== undefined) continue;
    const usual = [target.toLowerCase(), ...(synonyms[target] ?? "").split(" ")];
    const index = usual
      .filter(Boolean)
      .map((name) => bareNames.findIndex((bareName, at) => bareName === name && !used.has(at)))
      .find((at) => at !== -1);
    if (index === undefined) continue;
    columns[target] = index;
    used.add(index);
  }
  return { columns, fields };
}
