import { filterIssues } from "../../contract/filter/check.ts";
import { builtIn } from "../../contract/filter/fields.ts";
import { groupingIn } from "../../contract/resources/views.ts";
import { invalidInput, badRequest, Failure, issueOfMissing } from "../../platform/errors.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Viewer } from "../../kernel/access/visibility.ts";
import type { ViewContent } from "../presenters/views.ts";
import { isBrokenGroup, isBrokenKey, readTargets } from "./targets.ts";

/**
 * Checks what a view says of its cards against what its author sees: 400 for a condition, a key or
 * a grouping that does not fit its custom field, 404 for an unknown board.
 *
 * Other things that are gone are broken, and stay so: a view can be saved again with them.
 */
export async function checkStored(
  query: Query,
  workspaceId: bigint,
  viewer: Viewer,
  stored: ViewContent,
  before?: ViewContent,
): Promise<void> {
  const targets = await readTargets(query, workspaceId, viewer, [stored]);
  const { filter, sortBy, groupBy, boards } = stored;
  const missing = boards.flatMap((id, nth) =>
    targets.boards.has(id) || before?.boards.includes(id)
      ? []
      : [issueOfMissing("board", id, ["boards", nth])],
  );
  if (missing.length > 0) throw new Failure("NOT_FOUND", missing);
  const fieldOf = (name: string) => builtIn(name) ?? targets.fields.get(name);
  const issues = filter === null ? [] : filterIssues(filter, fieldOf);
  if (issues.length > 0) {
    throw invalidInput(
      issues.map(({ message, path }) => ({
        message,
        path: ["filter", ...path],
        code: "invalid_value",
      })),
    );
  }
  const key = sortBy.findIndex(
    ({ field }) => targets.fields.has(field) && isBrokenKey(field, targets),
  );
  if (key >= 0) {
    const message = "Only text, url, number and date fields can be sorted by.";
    throw badRequest("invalid_value", message, ["sortBy", key, "field"]);
  }
  if (
    groupBy !== null &&
    targets.fields.has(groupingIn(groupBy).field) &&
    isBrokenGroup(groupBy, targets)
  ) {
    const message = "Only select and multiSelect fields can be grouped by.";
    throw badRequest("invalid_value", message, ["groupBy", "field"]);
  }
}
