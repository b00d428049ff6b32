import { ruleOf, type Operation } from "../../contract/policy.ts";
import { failures, type FailureCode } from "../../platform/errors.ts";

const usual = ["UNAUTHORIZED", "FORBIDDEN", "INTERNAL_SERVER_ERROR"] as const;
const known = ["BAD_REQUEST", ...usual] as const;
const found = ["NOT_FOUND", ...known] as const;

/** The failures that the interface declares for its sixteen operations; all others are their `default`. */
export const declared: { readonly [Name in Operation]?: readonly FailureCode[] } = {
  "workspace.list": usual,
  "workspace.create": usual,
  "workspace.delete": found,
  "permission.ofMember": found,
  "permission.revokeFromMember": known,
  "role.grant": known,
  "webhook.delete": found,
  "webhook.test": known,
  "list.create": known,
  "card.update": found,
  "card.toggleLabel": found,
  "label.update": found,
  "checklist.deleteItem": found,
  "integration.authorize": found,
  "integration.githubProjects": usual,
  "import.trelloBoards": usual,
};

/** What an operation's failures follow from, beside its rule. */
type Traits = {
  name: Operation;
  method: string;
  isMutation: boolean;
  /** The fields of its input. */
  fields: string[];
  /** Failures of its own. */
  own: readonly FailureCode[];
};

/** Every failure that an operation declares, by status. */
export function failuresOf(traits: Traits): FailureCode[] {
  const codes = declared[traits.name] ?? derived(traits);
  return [...new Set(codes)].toSorted((a, b) => failures[a].status - failures[b].status);
}

function derived({ name, method, isMutation, fields, own }: Traits): FailureCode[] {
  const rule = ruleOf(name);
  const isWrite = method !== "GET";
  const asks = rule.on !== "public";
  const refuses =
    "needs" in rule ||
    rule.on === "operator" ||
    (rule.on === "self" && (isMutation || rule.keys !== "any"));
  const codes: [FailureCode, boolean][] = [
    ["BAD_REQUEST", true],
    ["UNAUTHORIZED", asks],
    ["FORBIDDEN", refuses],
    ["NOT_FOUND", "needs" in rule || fields.some((field) => /PublicIds?$/.test(field))],
    ["CONFLICT", isWrite],
    ["PRECONDITION_FAILED", isWrite && "needs" in rule],
    ["PAYLOAD_TOO_LARGE", isWrite],
    ["UNSUPPORTED_MEDIA_TYPE", isWrite],
    ["UNPROCESSABLE_CONTENT", isWrite],
    ["TOO_MANY_REQUESTS", true],
    ["INTERNAL_SERVER_ERROR", true],
    ["SERVICE_UNAVAILABLE", true],
  ];
  return [...codes.flatMap(([code, answers]) => (answers ? [code] : [])), ...own];
}
