import { z } from "zod";
import { isVisible } from "./visible.ts";
import { momentOfDate } from "./whole-days.ts";

/** What a refinement says of a text in the wrong format, instead of the code `custom`. */
export const wrongFormat = { code: "invalid_format" };

const pairs = /[\ud800-\udbff][\udc00-\udfff]/g;
const length = (text: string) => text.length - (text.match(pairs)?.length ?? 0);

const bounded = (
  string: z.ZodString,
  min: number,
  max: number,
  isEmpty = (input: string) => length(input) < min,
) =>
  string
    .check(({ value: input, issues }) => {
      const common = { origin: "string", inclusive: true, input } as const;
      if (isEmpty(input)) {
        const message =
          min === 1 ? "Must not be empty" : `The text must have at least ${min} characters.`;
        issues.push({ ...common, code: "too_small", minimum: min, message, continue: false });
      }
      if (length(input) > max) {
        const message = `The text must have at most ${max} characters.`;
        issues.push({ ...common, code: "too_big", maximum: max, message });
      }
    })
    .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max });

/** Text of `min` to `max` characters (code points, as in JSON Schema). */
export const text = (min: number, max: number) => bounded(z.string(), min, max);

/** A name or title: trimmed text of up to `max` characters, of which at least one is seen. */
export const name = (max: number) =>
  bounded(z.string().trim(), 1, max, (input) => !isVisible(input));

/** A name as archives have it: those of older versions have names of which nothing is seen. */
export const storedName = (max: number) => bounded(z.string().trim(), 1, max);

/** A public id as input: 12 to 64 characters. */
export const PublicId = z.string().min(12).max(64);

const isPublicId = /^[0-9a-z]{12}$/;

/** A workspace as input: its id, or its slug. */
export const WorkspaceId = z
  .string()
  .min(3)
  .max(64)
  .meta({
    description:
      "Public id of the workspace, or its slug in any case. 12 characters of `0-9a-z` are an id.",
    examples: ["k3v9x1q7w2m8"],
  });

/** Whether a text that names a workspace is a slug. What looks like an id never is. */
export const isWorkspaceSlug = (id: string): boolean => !isPublicId.test(id);

/** The id of a new resource, when the client makes it. */
export const ClientId = z
  .string()
  .regex(isPublicId, "Must be 12 characters of 0-9 and a-z")
  .meta({
    description:
      "An id made by the client: 12 random characters of `0-9a-z`. Repeating the same create by the " +
      "same caller returns the existing resource. Returns 409 if the id is taken.",
  })
  .optional();

/** Whether a call may exceed the limits of lists. */
export const Override = z
  .boolean()
  .meta({
    description:
      "Whether lists with `wipMode: block` may exceed their `wipLimit`. Requires `list:edit`.",
  })
  .optional();

/** A zero-based position. Values beyond the end mean the end. */
export const Index = z
  .int()
  .min(0)
  .max(2_147_483_647)
  .meta({
    description: "Zero-based position. A value beyond the end means the end.",
    examples: [0],
  });

/** A number of bytes, which can exceed 32 bits. */
export const Bytes = z.int().meta({ format: "int64" });

/** A number with fractions, which some generators else read with 32 bits. */
export const Double = z.number().meta({ format: "double" });

const notMoment = ({ input }: { input?: unknown }) =>
  input === undefined ? "Required" : "Must be an ISO 8601 date and time with an offset or Z";

/** A time as input: ISO 8601 with an offset or `Z`, in the years 0001–9999. */
export const Moment = z.iso.datetime({ offset: true, error: notMoment, abort: true }).refine(
  (value) => {
    const time = Date.parse(value);
    return time >= -62_135_596_800_000 && time < 253_402_300_800_000;
  },
  { error: "Must be an existing date in the years 0001 to 9999", params: wrongFormat },
);

/** Numbers below it are seconds since 1970, others milliseconds. */
const leastMilliseconds = 100_000_000_000;

/** A time in the forms of other programs, as ISO 8601 in UTC; any other text unchanged. */
function inUtc(value: unknown): unknown {
  if (typeof value === "number") {
    const time = new Date(Math.abs(value) < leastMilliseconds ? value * 1000 : value);
    return Number.isNaN(time.getTime()) ? value : time.toISOString();
  }
  if (typeof value !== "string") return value;
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(value)) return `${value}:00Z`;
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:[\d.]+$/.test(value) ? `${value}Z` : value;
}

/** A time, or a date without one. */
const PlannedDate = z
  .string({ error: notMoment })
  .check(({ value: input, issues }) => {
    const { error } = Moment.safeParse(momentOfDate(input));
    for (const { message, path } of error?.issues ?? [])
      issues.push({ code: "custom", message, path, input, params: wrongFormat });
  })
  .meta({ format: "date-time" });

/** The date of a card or an item as input, also without time or zone, and as a number. */
export const plannedDate = (about: string, example = "2026-02-27T16:00:00.000Z") =>
  z
    // zod leaves the examples of a preprocessed value out.
    .preprocess<unknown, typeof PlannedDate, string | number>(
      inUtc,
      PlannedDate.meta({ examples: [example] }),
    )
    .nullable()
    .meta({
      "x-also-accepts": "number",
      description:
        `${about}: ISO 8601 with \`Z\` or an offset; null for none. A date without a time, such as ` +
        "`2026-02-27`, is a whole day, which is the same day for everybody. Also accepted, and " +
        "read as UTC: a date and time without an offset, and a number of milliseconds since " +
        "1970, or of seconds if it is below 100,000,000,000.",
    });

/** A time as output: `2026-01-31T10:00:00.000Z`. */
export const Timestamp = z.iso.datetime({ precision: 3 });

/** A workspace or board slug as input. */
export const Slug = z
  .string()
  .min(3)
  .max(64)
  .regex(
    /^-*[a-zA-Z0-9][a-zA-Z0-9-]*$/,
    "Must contain only letters, digits and hyphens, and not only hyphens",
  );

const colourForm =
  "Must be # and six digits of 0-9 and a-f, such as #1f2e3d; names of colours are not";
/** A colour as input: `#rrggbb`. */
export const ColourCode = z
  .string()
  .length(7, { error: colourForm, abort: true })
  .regex(/^#[0-9a-fA-F]{6}$/, colourForm)
  .meta({ description: "The colour as `#rrggbb`.", examples: ["#d73a4a"] });

/** The deprecated name of a boolean. */
export const oldFlag = (current: string) =>
  z
    .boolean()
    .meta({ description: `Use \`${current}\`.`, deprecated: true })
    .optional();

/** Requires a field or its deprecated name. */
export const eitherName = <Name extends string, Old extends string>(current: Name, old: Old) =>
  [
    (input: { [Field in Name | Old]?: unknown }) =>
      input[current] !== undefined || input[old] !== undefined,
    { path: [current] as PropertyKey[], error: "Required", params: { code: "required" } },
  ] as const;

/** Refuses a field and its deprecated name with different values. */
export const sameValue = <Name extends string, Old extends string>(current: Name, old: Old) =>
  [
    (input: { [Field in Name | Old]?: unknown }) =>
      input[current] === undefined || input[old] === undefined || input[current] === input[old],
    {
      path: [old] as PropertyKey[],
      error: `\`${old}\` is the deprecated name of \`${current}\`. Send only \`${current}\`.`,
    },
  ] as const;

/** The result of operations that return no resource. */
export const Success = z
  .strictObject({
    success: z
      .boolean()
      .meta({ description: "True if the operation succeeded.", examples: [true] }),
  })
  .meta({ id: "Success", description: "The result of operations that return no resource." });

/** A successful result. */
export const success = { success: true } as const;

/** A date in the format of the API. */
export const iso = (moment: Date) => moment.toISOString();

/** A date or null in the format of the API. */
export const isoOrNull = (moment: Date | null) => (moment === null ? null : moment.toISOString());

/** The page size and cursor of a list. */
export const Page = z.strictObject({
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(50)
    .meta({ examples: [50], description: "Maximum number of items." }),
  cursor: z
    .string()
    .min(1)
    .max(500)
    .meta({ description: "The `nextCursor` of the previous page. Absent for the first page." })
    .optional(),
});

/** A page of items. `nextCursor` is null on the last page. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item).meta({ description: "The items, in order." }),
    nextCursor: z
      .string()
      .nullable()
      .meta({
        description: "The `cursor` of the next page. Null on the last page.",
        examples: [null],
      }),
  });
