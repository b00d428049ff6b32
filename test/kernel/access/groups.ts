import type { Operation } from "../../../src/contract/policy.ts";
import { operations } from "./call.ts";

/** The resources of each file of the full matrix and of the full test of foreign ids, which run in parallel. */
const groups = {
  account: [
    "auth",
    "oauth",
    "signIn",
    "secondFactor",
    "user",
    "integration",
    "health",
    "stats",
    "operator",
  ],
  workspace: ["workspace", "webhook", "import"],
  people: ["member", "serviceAccount", "app", "invite", "permission", "role"],
  board: ["board", "list", "label", "field", "view"],
  card: ["card", "relation", "comment", "checklist", "attachment"],
} as const;

const resourceOf = (operation: Operation) => operation.slice(0, operation.indexOf("."));

/** The operations of one group. */
export const operationsOf = (group: keyof typeof groups): Operation[] =>
  operations.filter((operation) =>
    groups[group].some((resource) => resource === resourceOf(operation)),
  );

/** The operations of no group: there must not be any. */
export const ungrouped = () => {
  const grouped: ReadonlySet<string> = new Set(Object.values(groups).flat());
  return operations.filter((operation) => !grouped.has(resourceOf(operation)));
};
