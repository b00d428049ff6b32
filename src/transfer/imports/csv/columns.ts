import { z } from "zod";
import { badRequest, invalidInput } from "../../../platform/errors.ts";
import { fieldColumnsIn, type FieldColumn, type FieldTypes } from "./custom-fields.ts";
import { isLinkTarget } from "./link-targets.ts";
import { bare, type Profile } from "./profile.ts";
import { profileIn, profileNames, profileOf, type ProfileName } from "./profiles.ts";
import {
  allTargets,
  isRepeated,
  sharesColumns,
  targets,
  type AnyTarget,
  type Target,
} from "./targets.ts";

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

/** The option that names the program that wrote a file. */
export const From = z
  .enum(profileNames)
  .meta({ id: "CsvProgram", description: "The program that wrote a CSV file." });

export type ColumnOptions = { [Option in ColumnOption]?: string | undefined } & {
  fields?: FieldTypes | undefined;
  from?: ProfileName | undefined;
};

/** The columns of each target, by their positions, in order of preference. */
export type Columns = { [Name in AnyTarget]?: number[] };

/** The columns of a file. */
export type FoundColumns = {
  profile: ProfileName;
  columns: Columns;
  fields: FieldColumn[];
  /** The column with the zone of times. */
  offset: number | undefined;
  /** The columns of people's names with those of their ids. */
  people: [number, number][];
};

/** The names of a header, for a message. */
export const namesOf = (header: readonly string[]): string =>
  header
    .slice(0, 60)
    .map((name) => name.slice(0, 60))
    .join(", ")
    .slice(0, 1_500) || "none";

/** Throws 400 if no column has titles. */
export function checkTitle(header: readonly string[], { title }: Columns): void {
  if (title !== undefined) return;
  const message = `Name the column of the titles. The file has: ${namesOf(header)}`;
  throw badRequest("required", message, ["titleColumn"]);
}

/**
 * Finds the columns of targets: named ones, then those of the program; and those of custom fields.
 *
 * 400 for a name without column.
 */
export function columnsIn(header: string[], options: ColumnOptions): FoundColumns {
  const names = header.map((name) => name.trim());
  const bareNames = names.map(bare);
  const profile = options.from ?? profileIn(names);
  const known = profileOf(profile);
  const columnsOf = (name: string) => {
    const exact = places(names, name.trim());
    return exact.length > 0 ? exact : places(bareNames, bare(name));
  };
  const columns = namedColumns(names, options, columnsOf);
  const named = new Set(Object.values(columns).flat());
  const fields = fieldColumnsIn(names, options.fields, (name) => columnsOf(name)[0] ?? -1);
  for (const { at } of fields) named.add(at);
  const used = new Set(named);
  for (const target of allTargets) {
    if (targets.some((name) => name === target && options[optionOf(name)] !== undefined)) continue;
    const isFree = (at: number) => !(sharesColumns(target) ? named : used).has(at);
    const found = usual(bareNames, known, target).filter(isFree);
    if (found.length === 0) continue;
    columns[target] = known.signs.length === 0 ? ofGeneral(bareNames, target, found) : found;
    if (!sharesColumns(target)) for (const at of columns[target] ?? []) used.add(at);
  }
  const ofProfile = profileFields(names, known, columns, used);
  const of = (name: string | undefined) => places(bareNames, name ?? "")[0];
  return {
    profile,
    columns,
    fields: [...fields, ...ofProfile].toSorted((one, other) => one.at - other.at),
    offset: known.offset === undefined ? undefined : of(known.offset),
    people: peopleColumns(bareNames, known),
  };
}

const places = (names: string[], name: string): number[] =>
  names.flatMap((text, at) => (text === name && name !== "" ? [at] : []));

/** The columns that options name; 400 for one that the file does not have. */
function namedColumns(
  names: string[],
  options: ColumnOptions,
  columnsOf: (name: string) => number[],
): Columns {
  const columns: Columns = {};
  const missing = Object.keys(options.fields ?? {}).flatMap((name) =>
    columnsOf(name).length === 0 ? [{ path: ["fields", name], name }] : [],
  );
  for (const target of targets) {
    const name = options[optionOf(target)]?.trim();
    if (name === undefined || name === "") continue;
    const found = columnsOf(name);
    if (found.length === 0) missing.push({ path: [optionOf(target)], name });
    else columns[target] = isRepeated(target) ? found : found.slice(0, 1);
  }
  if (missing.length > 0)
    throw invalidInput(
      missing.map(({ path, name }) => ({
        code: "invalid_value",
        path,
        message: `The file has no column “${name.slice(0, 100)}”. It has: ${namesOf(names)}`,
      })),
    );
  return columns;
}

/** The columns of a target by their usual names, the preferred first. */
function usual(bareNames: string[], { columns }: Profile, target: AnyTarget): number[] {
  const preferred = [...new Set((columns[target] ?? "").split(" "))].filter(Boolean);
  const found = preferred.map((name) => places(bareNames, name));
  if (target === "labels" || isLinkTarget(target)) return found.flat();
  // A program writes people once by their name, and once by another one.
  if (isRepeated(target) && target !== "comments") return found.find((at) => at.length > 0) ?? [];
  return target === "id" ? (found.find((at) => at.length > 0) ?? []).slice(0, 1) : found.flat();
}

/** In the table of an unknown program one column is meant, with all of its name. */
const ofGeneral = (bareNames: string[], target: AnyTarget, found: number[]): number[] =>
  target === "labels" || target === "state"
    ? found
    : isRepeated(target)
      ? found.filter((at) => bareNames[at] === bareNames[found[0] ?? -1])
      : found.slice(0, 1);

/** The columns that a program's table has for custom fields, and nothing else reads. */
function profileFields(
  names: string[],
  { fields = {} }: Profile,
  columns: Columns,
  used: ReadonlySet<number>,
): FieldColumn[] {
  const read = new Set([...used, ...(columns.list ?? [])]);
  const types = new Map(Object.entries(fields));
  const taken = new Set<string>();
  return names.flatMap((name, at) => {
    const type = types.get(bare(name));
    if (type === undefined || read.has(at) || taken.has(bare(name))) return [];
    taken.add(bare(name));
    const shown = /^custom field \((.+)\)$/i.exec(name)?.[1] ?? name;
    return [{ at, name: shown, type, ofProfile: true }];
  });
}

/** Columns of names, each with the one of ids beside it. */
const peopleColumns = (bareNames: string[], { people = {} }: Profile): [number, number][] =>
  Object.entries(people).flatMap(([name, id]) => {
    const ids = places(bareNames, id);
    return places(bareNames, name).flatMap((at, nth): [number, number][] => {
      const idAt = ids[nth];
      return idAt === undefined ? [] : [[at, idAt]];
    });
  });
