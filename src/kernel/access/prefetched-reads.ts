import type { Query } from "../../platform/db/query.ts";
import type { Target } from "./resolve-target.ts";

type Input = Record<string, unknown>;

/** What was read for many calls of an operation. Each call may change it for later ones. */
export type PrefetchedReads<Early = unknown> = {
  /** Whether the reads are those that statements would make now. */
  readonly isCurrent: boolean;
  /** What one call reads; undefined where statements have to read it. */
  read: (input: Input) => Early | undefined;
};

/** Reads for many calls of an operation with different targets; undefined for too many rows. */
export type PrefetchReads<Early = unknown> = (
  query: Query,
  inputs: Input[],
) => Promise<PrefetchedReads<Early> | undefined>;

/** What was read for a call of a batch before its turn: its target, and its early reads. */
export type Prefetched = { target: Target; early: (input: Input) => unknown };
