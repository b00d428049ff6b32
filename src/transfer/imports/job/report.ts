import type { z } from "zod";
import { outcomes, type ImportCounts } from "../../../domain/presenters/imports.ts";
import type { ImportIssue } from "../../../platform/db/rows.ts";
import { shortened, textOf } from "../../../platform/foreign-text.ts";

/** What became of a resource of the source. */
export type Outcome = (typeof outcomes)[number];

/** An issue as it is stored. */
type StoredIssue = Omit<ImportIssue, "id" | "importId" | "workspaceId">;

/**
 * A resource of the source that was skipped, unless it is `partial`. `count` is how many it is.
 *
 * Reports are grouped by reason. What concerns one resource only is its `detail`.
 */
export type ReportIssue = Pick<StoredIssue, "kind" | "reason"> & {
  [Field in keyof StoredIssue]?: StoredIssue[Field] | undefined;
};

/**
 * Reasons that are reported only when the part itself is written. A run that continues the import
 * finds the part, so these issues stay when the report begins again.
 */
export const reportedOnce = {
  overQuota: "The file was not stored: the workspace exceeds its attachment quota.",
  linked: "The file was not fetched: the attachment is a link to it.",
  cannotSee: "The member cannot see the board.",
} as const;

/** A text of the source, short enough for a report and valid in the database. */
function printable(value: unknown, max: number): string | null {
  const text = textOf(value);
  return text === null ? null : shortened(text, max);
}

/** The most issues of an import that have rows of their own. */
export const maxIssues = 10_000;

/** The rows of issues; beyond the first `remaining`, all that have one reason share a row. */
export function rowsOf(issues: readonly StoredIssue[], remaining: number): StoredIssue[] {
  const shared = new Map<string, StoredIssue>();
  for (const { kind, severity, reason, count } of issues.slice(remaining)) {
    const key = JSON.stringify([kind, severity, reason]);
    const row = shared.get(key) ?? { kind, severity, reason, count: 0, ...withoutItem };
    row.count += count;
    shared.set(key, row);
  }
  return [...issues.slice(0, remaining), ...shared.values()];
}

const withoutItem = { sourceId: null, name: null, detail: null, cardPublicId: null };

/** The counts of an import, and the issues that are not stored yet. */
export class ReportDraft {
  readonly counts: z.infer<typeof ImportCounts> = {};
  readonly issues: StoredIssue[] = [];

  /** Counts resources of a kind. */
  add(kind: string, outcome: Outcome, count = 1): void {
    if (count <= 0) return;
    (this.counts[kind] ??= { created: 0, alreadyThere: 0, leftOut: 0 })[outcome] += count;
  }

  /** Records an issue. A skipped resource is counted; its writer counts a `partial` one. */
  skip(issue: ReportIssue): void {
    if (issue.severity !== "partial") this.add(issue.kind, "leftOut", issue.count);
    this.record(issue);
  }

  /** Records an issue of a resource that was written. */
  record({ kind, severity = "loss", cardPublicId = null, count = 1, ...issue }: ReportIssue): void {
    this.issues.push({
      kind,
      severity,
      cardPublicId,
      count,
      sourceId: printable(issue.sourceId, 255),
      name: printable(issue.name, 255),
      reason: printable(issue.reason, 2_000) ?? "",
      detail: printable(issue.detail, 2_000),
    });
  }

  /** Adds the counts and issues of another report. */
  merge({ counts, issues }: ReportDraft): this {
    for (const [kind, count] of Object.entries(counts))
      for (const outcome of outcomes) this.add(kind, outcome, count[outcome]);
    for (const issue of issues) this.issues.push(issue);
    return this;
  }
}
