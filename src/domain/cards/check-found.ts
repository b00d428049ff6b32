import { Failure, issueOfMissing, type NotFoundKind } from "../../platform/errors.ts";

/** 404 for the ids of an input field that were not found: an issue at the index of each. */
export function checkFound(
  kind: NotFoundKind,
  named: readonly string[],
  found: ReadonlySet<string>,
  path: string[],
): void {
  const issues = named.flatMap((id, index) =>
    found.has(id) ? [] : [issueOfMissing(kind, id, [...path, index])],
  );
  if (issues.length > 0) throw new Failure("NOT_FOUND", issues);
}
