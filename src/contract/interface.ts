import type { ErrorCode } from "./error-codes.ts";
import type { Operation } from "./policy.ts";

const authFailures = ["UNAUTHORIZED", "FORBIDDEN", "INTERNAL_SERVER_ERROR"] as const;
const inputFailures = ["BAD_REQUEST", ...authFailures] as const;
const targetFailures = ["NOT_FOUND", ...inputFailures] as const;

/** The errors that the contract declares for its 16 operations. Others are their `default`. */
export const declaredFailures: { readonly [Name in Operation]?: readonly ErrorCode[] } = {
  "workspace.list": authFailures,
  "workspace.create": authFailures,
  "workspace.delete": targetFailures,
  "permission.ofMember": targetFailures,
  "permission.revokeFromMember": inputFailures,
  "role.grant": inputFailures,
  "webhook.delete": targetFailures,
  "webhook.test": inputFailures,
  "list.create": inputFailures,
  "card.update": targetFailures,
  "card.toggleLabel": targetFailures,
  "label.update": targetFailures,
  "checklist.deleteItem": targetFailures,
  "integration.authorize": targetFailures,
  "integration.githubProjects": authFailures,
  "import.trelloBoards": authFailures,
};

/** Whether the interface fixes an operation and declares no 400: unknown parameters are ignored. */
export const ignoresQuery = (name: Operation): boolean =>
  declaredFailures[name]?.includes("BAD_REQUEST") === false;
