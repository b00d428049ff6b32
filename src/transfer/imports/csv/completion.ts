import { flagIn, isFinished } from "./cells.ts";
import { asMoment, datesIn, type DateReading } from "./dates.ts";
import type { LineCells } from "./line-cells.ts";
import type { Profile } from "./profile.ts";

/** Whether a card is complete, and since when; null when the cells do not say it. */
export type Completion = {
  is: boolean;
  at: string | null;
  /** A cell that is neither a date nor yes or no, and why it is not read. */
  problem?: { cell: string; why: "unclear" | "invalid" };
};

/** Reads whether work is finished: by a time, by yes or no, by a share of one hundred, or by its state. */
export function completionOf(cells: LineCells, profile: Profile, dates: DateReading): Completion {
  let flag: boolean | undefined;
  let problem: Completion["problem"];
  for (const { cell } of cells.values("completedAt")) {
    const is = flagIn(cell);
    if (is !== null) {
      flag ??= is;
      continue;
    }
    const read = datesIn(cell, dates);
    if (typeof read === "object" && read !== null) {
      const at = asMoment(read.end);
      if (at !== null) return { is: true, at };
    } else if (read !== null) problem ??= { cell, why: read };
  }
  const isOpen = flag === undefined && profile.isOurs !== true;
  const states = isOpen ? cells.values("state") : [];
  const byState = states.some(({ cell }) => flagIn(cell) === true || isFinished(cell));
  const is = flag === true || byState;
  return problem === undefined ? { is, at: null } : { is, at: null, problem };
}
