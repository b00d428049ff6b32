import { z } from "zod";
import { shortened, textOf } from "./clean.ts";

/** How many things of one kind were made, were there already, and were left out; together all that the source has. */
const Count = z.object({
  created: z.int(),
  alreadyThere: z.int(),
  leftOut: z.int(),
});

/** Counts of every kind, as they are kept. */
export const Counts = z.record(z.string(), Count);

type Outcome = keyof z.infer<typeof Count>;

/** Something of the source that did not come over whole: left out, or `partly` there; `count` is how many it stands for. */
export type Loss = {
  kind: string;
  sourceId?: string | undefined;
  name?: string | undefined;
  reason: string;
  partly?: boolean;
  count?: number;
};

/** As much of a source's text as a report needs, and nothing that our database could not hold. */
const told = (text: string | undefined, most: number) =>
  text === undefined ? text : shortened(textOf(text) ?? "", most);

/** What became of the things of a source, added up as it goes. */
export class Tally {
  readonly counts: z.infer<typeof Counts> = {};
  readonly losses: Loss[] = [];

  /** Counts things of a kind. */
  add(kind: string, outcome: Outcome, count = 1): void {
    if (count > 0)
      (this.counts[kind] ??= { created: 0, alreadyThere: 0, leftOut: 0 })[outcome] += count;
  }

  /** Names what was left out, and counts it; what came over `partly` is counted by whoever made it. */
  lose(loss: Loss): void {
    if (loss.partly !== true) this.add(loss.kind, "leftOut", loss.count ?? 1);
    const { sourceId, name, reason } = loss;
    this.losses.push({
      ...loss,
      sourceId: told(sourceId, 255),
      name: told(name, 255),
      reason: told(reason, 2_000) ?? "",
    });
  }

  /** Adds what another one has counted and named. */
  merge({ counts, losses }: Tally): this {
    for (const [kind, count] of Object.entries(counts)) {
      for (const outcome of ["created", "alreadyThere", "leftOut"] as const) {
        this.add(kind, outcome, count[outcome]);
      }
    }
    for (const loss of losses) this.losses.push(loss);
    return this;
  }
}
