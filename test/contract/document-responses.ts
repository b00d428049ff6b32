import { errorCodes } from "../../src/contract/error-codes.ts";
import { failureCatalog } from "../../src/contract/failure-codes.ts";
import { document } from "./examples.ts";

type Any = any;

/** Headers of HTTP itself and of browsers, which the document does not name. */
const general = new RegExp(
  "^(?:access-control-.*|cache-control|connection|content-(?:encoding|length|type)" +
    "|content-security-policy|referrer-policy|set-cookie|vary|x-accel-buffering" +
    "|x-content-type-options)$",
);

const resolved = (response: Any): Any =>
  response?.$ref === undefined
    ? response
    : document.components.responses[response.$ref.split("/").at(-1)];

/** The headers of an answer that the document does not declare for the operation. */
export function undeclaredHeaders(
  { responses }: { responses: Record<string, Any> },
  { status, headers }: Response,
): string[] {
  const response = resolved(responses[status] ?? responses["default"]);
  const names = Object.keys(response?.headers ?? {});
  const declared = new Set(names.map((one) => one.toLowerCase()));
  return [...headers.keys()].filter((one) => !general.test(one) && !declared.has(one));
}

/** What is wrong with the codes of an error: each belongs to its status. */
export function faultOfError(status: number, { code, issues }: Any): string[] {
  const codes: Record<string, { status: number }> = errorCodes;
  const catalog: Record<string, object> = failureCatalog;
  if (codes[code]?.status !== status) return [`${status} ${code}`];
  return issues
    .filter((issue: Any) => !Object.hasOwn(catalog[code] ?? {}, issue.code))
    .map((issue: Any) => `${status} ${code}: ${issue.code}`);
}
