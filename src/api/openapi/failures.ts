import { ruleOf, type Operation, type Rule } from "../../contract/policy.ts";
import { errorCodes, type ErrorCode } from "../../contract/error-codes.ts";
import { declaredFailures } from "../../contract/interface.ts";

/** What determines the errors of an operation, besides its rule. */
type Traits = {
  name: Operation;
  method: string;
  isMutation: boolean;
  /** Whether its answer has a fixed content type, which a client can exclude. */
  hasType: boolean;
  /** The fields of its input. */
  fields: string[];
  /** Errors that only this operation has. */
  declared: readonly ErrorCode[];
};

/** All errors that an operation declares, by status. */
export function failuresOf(traits: Traits): ErrorCode[] {
  const codes = declaredFailures[traits.name] ?? deriveFailures(traits);
  return [...new Set(codes)].toSorted((a, b) => errorCodes[a].status - errorCodes[b].status);
}

function deriveFailures({
  name,
  method,
  isMutation,
  hasType,
  fields,
  declared,
}: Traits): ErrorCode[] {
  const rule = ruleOf(name);
  const hasBody = method !== "GET";
  const isWrite = hasBody && isMutation;
  const needsCredential = rule.on !== "public";
  const canRefuse =
    "needs" in rule ||
    rule.on === "operator" ||
    (rule.on === "self" && ((isMutation && rule.reads !== true) || rule.keys !== "any"));
  const codes: [ErrorCode, boolean][] = [
    ["BAD_REQUEST", true],
    ["UNAUTHORIZED", needsCredential],
    ["FORBIDDEN", canRefuse],
    [
      "NOT_FOUND",
      "needs" in rule || isHidden(rule) || fields.some((field) => /PublicIds?$/.test(field)),
    ],
    ["NOT_ACCEPTABLE", hasType],
    ["REQUEST_TIMEOUT", hasBody],
    ["CONFLICT", isWrite],
    ["PRECONDITION_FAILED", isWrite && "needs" in rule],
    ["PAYLOAD_TOO_LARGE", hasBody],
    ["UNSUPPORTED_MEDIA_TYPE", hasBody],
    ["UNPROCESSABLE_CONTENT", isWrite],
    ["TOO_MANY_REQUESTS", true],
    ["INTERNAL_SERVER_ERROR", true],
    ["SERVICE_UNAVAILABLE", true],
  ];
  return [...codes.flatMap(([code, applies]) => (applies ? [code] : [])), ...declared];
}

/** Whether an operation does not exist for those who may not call it. */
const isHidden = (rule: Rule) => rule.on === "operator" && rule.announced !== true;
