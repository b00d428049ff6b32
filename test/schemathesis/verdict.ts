import { z } from "zod";

/** What Schemathesis says of a run. */
export const Report = z.object({
  complete: z.boolean(),
  stop_reason: z.string(),
  test_cases: z.object({ generated: z.int() }),
  operations: z.object({ tested: z.int(), errored: z.int() }),
  errors: z.array(z.object({ title: z.string(), count: z.int() })),
});

/** The findings that Schemathesis writes when a run ends by itself. */
export const Findings = z.object({
  entries: z.array(z.object({ operation: z.string(), check: z.string(), signature: z.string() })),
});

type Finding = z.infer<typeof Findings>["entries"][number];

const describe = ({ operation, check, signature }: Finding) =>
  `${operation}: ${check}: ${signature.slice(0, 300)}`;

/** The data of a stream's events has the schema; the tool's setting misses some requests. */
const isOfLines = ({ operation, check }: Finding) =>
  operation.endsWith("/events/stream") && check === "response_schema_conformance";

/** `PATCH` is taken wherever `PUT` is, as docs/rest.md says; the document has only `PUT`. */
const isOfPatch = ({ check, signature }: Finding) =>
  check === "allow_header_conformance" && signature === "|PATCH";

/** The tool takes the credential away, and the admin key, which is one too, stays. */
const isOfAdminKey = ({ operation, check }: Finding) =>
  check === "ignored_auth" && operation.includes(" /operator/");

/** Node.js refuses more than 16 KiB of address and headers before any operation is known. */
const isOfHeaders = ({ check, signature }: Finding) =>
  check === "status_code_conformance" && signature === "431";

const accepted = [isOfLines, isOfPatch, isOfAdminKey, isOfHeaders];
const isAccepted = (one: Finding) => accepted.some((is) => is(one));

/** The links that a run has walked, of those between tested operations, by what it printed. */
export function linksOf(output: string) {
  const printed = /API Links: +(?<walked>\d+) covered \/ (?<all>\d+) selected/.exec(output);
  return {
    walked: Number(printed?.groups?.["walked"] ?? 0),
    all: Number(printed?.groups?.["all"] ?? 0),
  };
}

/**
 * The faults of a run, one in a line. A run that stops early, or walks 0 links, has not tested
 * everything.
 */
export const faultsOf = (
  { complete, stop_reason: reason, errors }: z.infer<typeof Report>,
  { entries }: z.infer<typeof Findings>,
  links?: ReturnType<typeof linksOf>,
): string[] => [
  ...(links?.walked === 0 ? [`0 of ${links.all} links were walked.`] : []),
  ...(complete && reason === "completed" ? [] : [`The run is incomplete: ${reason}.`]),
  ...errors.map(({ title, count }) => `error: ${title} (${count})`),
  ...entries.flatMap((one) => (isAccepted(one) ? [] : [describe(one)])),
];
