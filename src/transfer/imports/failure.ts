import { Failure } from "../../platform/errors.ts";

/** Ends an import with a sentence for whoever started it; what it has made stays. */
export class ImportFailure extends Error {}

/** The source cannot answer for so long that somebody else may have the worker meanwhile; the sentence is for when it never does. */
export class SourceBusy extends Error {
  readonly ms: number;
  readonly because: "limit" | "failure";
  constructor(ms: number, because: "limit" | "failure", sentence: string) {
    super(sentence);
    this.ms = ms;
    this.because = because;
  }
}

/** The import is no longer in these hands: it was cancelled, or another run has taken it over. */
export class Lost extends Error {}

/** What is told of an error; undefined for one that is a defect of ours. */
export function sentenceOf(error: unknown): string | undefined {
  if (error instanceof ImportFailure || error instanceof SourceBusy) return error.message;
  if (!(error instanceof Failure)) return undefined;
  return error.issues.map(({ message }) => message).join(" ") || error.message;
}

/** Whether it is our own database or storage that is away: then the import goes on when it is back. */
export const isPassing = (error: unknown) =>
  error instanceof Failure && error.failure === "SERVICE_UNAVAILABLE";
