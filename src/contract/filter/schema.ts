import { z } from "zod";
import { customFieldId } from "./fields.ts";
import { filterIssues, isFilter } from "./check.ts";
import { aboutKeys, keyNames, sortNames, usualOrder, type SortKey } from "./sort.ts";
import { filterLimits, filterOps, type FilterOp, type FilterTree } from "./tree.ts";

const example = {
  and: [
    { field: "members", op: "is", value: "me" },
    { field: "dueDate", op: "within", value: "thisWeek" },
  ],
};

/** Adds the problems of a filter to those of an input. */
function checked(value: unknown, ctx: z.RefinementCtx): FilterTree {
  if (isFilter(value)) return value;
  for (const { message, path } of filterIssues(value)) {
    ctx.issues.push({ code: "custom", message, path, input: value });
  }
  return z.NEVER;
}

const about =
  "Only cards that pass this filter: a condition `{ field, op, value }`, or a group of filters " +
  "`{ and: […] }`, `{ or: […] }` or `{ not: … }`, with at most " +
  `${filterLimits.leaves} conditions and groups ${filterLimits.depth} deep.`;

/** The value of a query parameter that is JSON; an object, which only tRPC has, stays one. */
function fromJson(value: unknown, ctx: z.RefinementCtx): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    const message = "The text must be JSON.";
    ctx.issues.push({ code: "custom", message, path: [], input: value });
    return z.NEVER;
  }
}

const filterId = "CardFilter";
const nested = { $ref: `#/components/schemas/${filterId}` };
const text = { type: "string" };
const number = { type: "number", format: "double" };

/**
 * The JSON Schema of what `isFilter` checks, without unions: generators make poor types of them.
 */
const described = {
  id: filterId,
  type: "object",
  description: "A condition with `field` and `op`, or a group with one of `and`, `or` and `not`.",
  properties: {
    and: { type: "array", items: nested, description: "All of these pass." },
    or: { type: "array", items: nested, description: "Any of these passes." },
    not: { ...nested, description: "This does not pass." },
    field: { type: "string", description: "The name of a field of a card." },
    op: { type: "string", "x-known-values": filterOps, description: "How it is compared." },
    value: {
      anyOf: [
        text,
        number,
        { type: "boolean" },
        { type: "array", items: text },
        { type: "array", items: number },
      ],
      description: "What it is compared with.",
    },
  },
  additionalProperties: false,
  examples: [example],
};

/** A filter as the document describes it. */
export type DescribedFilter = {
  and?: DescribedFilter[] | undefined;
  or?: DescribedFilter[] | undefined;
  not?: DescribedFilter | undefined;
  field?: string | undefined;
  op?: FilterOp | undefined;
  value?: string | number | boolean | string[] | number[] | undefined;
};

/** A filter in an answer. */
export const ShownFilter: z.ZodType<DescribedFilter> = z
  .any()
  .refine((value) => isFilter(value))
  .meta(described);

/** A filter in a body. */
export const Filter: z.ZodType<FilterTree, FilterTree> = z
  .custom<FilterTree>()
  .meta(described)
  .transform(checked)
  .meta({ description: about, examples: [example] });

/** A filter in a query. */
export const FilterText: z.ZodType<FilterTree, FilterTree | string> = z
  .custom<FilterTree | string>()
  .meta({ type: "string", contentMediaType: "application/json" })
  .transform(fromJson)
  .pipe(z.unknown().transform(checked))
  .meta({
    "x-also-accepts": "CardFilter",
    description: `${about} As JSON.`,
    examples: [JSON.stringify(example)],
  });

/** A name of an order. */
export const CardSort = z
  .enum(sortNames)
  .meta({ id: "CardSort", description: "The order of cards." });

const Key = z
  .strictObject({
    field: z
      .string()
      .refine(
        (field) => keyNames.some((name) => name === field) || customFieldId(field) !== undefined,
        {
          error: `Must be one of ${keyNames.join(", ")}, or fields.<fieldPublicId>`,
        },
      )
      .meta({
        description: `${aboutKeys} \`fields.<fieldPublicId>\`: a custom field of the board.`,
        examples: ["priority"],
      }),
    order: z
      .enum(["asc", "desc"])
      .meta({ id: "SortDirection", description: "The direction of an order." })
      .optional()
      .meta({ description: "The direction; by default that of `field`." }),
  })
  .refine(({ field, order }) => field !== "position" || order !== "desc", {
    error: "The position is only in ascending order",
    path: ["order"],
  })
  .meta({ id: "CardSortKey", description: "One key of the order of cards." })
  .transform(({ field, order = usualOrder(field) }): SortKey => ({ field, order }));

const aboutEmpty =
  "Cards without a date or a value of a custom field come last, in either direction. `none` is " +
  "the lowest priority.";
const aboutSortBy = `Sorts by up to ${filterLimits.sortKeys} keys instead of \`sort\`. ${aboutEmpty}`;

const Keys = z
  .array(Key)
  .min(1)
  .max(filterLimits.sortKeys)
  .refine((keys) => new Set(keys.map(({ field }) => field)).size === keys.length, {
    error: "Each field may be named once",
  });
const exampleKeys = [{ field: "priority", order: "desc" }, { field: "dueDate" }];

/** The keys of an order, in a body. */
export const SortKeys = Keys.meta({ description: aboutSortBy, examples: [exampleKeys] });

/** The keys of the order of a view, in a body. */
export const ViewSortKeys = Keys.meta({
  description: `Sorts the cards by up to ${filterLimits.sortKeys} keys. ${aboutEmpty}`,
  examples: [[{ field: "dueDate" }]],
});

/** The keys of an order, in a query. */
export const SortKeysText: z.ZodType<SortKey[], z.input<typeof Keys> | string> = z
  .custom<z.input<typeof Keys> | string>()
  .meta({ type: "string", contentMediaType: "application/json" })
  .transform(fromJson)
  .pipe(Keys)
  .meta({
    "x-also-accepts": "CardSortKey[]",
    description: `${aboutSortBy} As JSON.`,
    examples: [JSON.stringify(exampleKeys)],
  });
