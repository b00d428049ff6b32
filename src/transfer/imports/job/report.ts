import { z } from "zod";
import { shortened, textOf } from "../read/text.ts";

/** How many resources of a kind were created, existed already and were skipped. */
const Count = z.object({
  created: z.int(),
  alreadyThere: z.int(),
  leftOut: z.int(),
});

/** The counts of every kind, as they are stored. */
export const Counts = z.record(z.string(), Count);

const outcomes = ["created", "alreadyThere", "leftOut"] as const;

/** What became of a resource of the source. */
export type Outcome = (typeof outcomes)[number];

/**
 * A resource of the source that was skipped, or imported `partly`. `count` is how many it is.
 *
 * Reports are grouped by reason: what a reason says of one resource only is its `detail`.
 */
export type Issue = {
  kind: string;
  sourceId?: string | undefined;
  name?: string | undefined;
  reason: string;
  detail?: string | undefined;
  partly?: boolean;
  /** Nothing is lost. */
  isHarmless?: boolean;
  /** The imported card that the resource is on. */
  cardPublicId?: string | undefined;
  count?: number;
};

/** A text of the source, short enough for a report and valid in the database. */
const shown = (text: string | undefined, max: number) =>
  text === undefined ? text : shortened(textOf(text) ?? "", max);

/** The counts of an import, and the issues that are not stored yet. */
export class ImportReport {
  readonly counts: z.infer<typeof Counts> = {};
  readonly issues: Issue[] = [];

  /** Counts resources of a kind. */
  add(kind: string, outcome: Outcome, count = 1): void {
    if (count <= 0) return;
    (this.counts[kind] ??= { created: 0, alreadyThere: 0, leftOut: 0 })[outcome] += count;
  }

  /** Records an issue. A skipped resource is counted; its writer counts one imported `partly`. */
  skip(issue: Issue): void {
    if (issue.partly !== true) this.add(issue.kind, "leftOut", issue.count ?? 1);
    this.issues.push({
      ...issue,
      sourceId: shown(issue.sourceId, 255),
      name: shown(issue.name, 255),
      reason: shown(issue.reason, 2_000) ?? "",
      detail: shown(issue.detail, 2_000),
    });
  }

  /** Adds the counts and issues of another report. */
  merge({ counts, issues }: ImportReport): this {
    for (const [kind, count] of Object.entries(counts))
      for (const outcome of outcomes) this.add(kind, outcome, count[outcome]);
    for (const issue of issues) this.issues.push(issue);
    return this;
  }
}
