import { Failure } from "../../../platform/errors.ts";

/** Ends an import with a message for its starter. What was created stays. */
export class ImportFailure extends Error {}

/** The source is not available for a while: the job gives its worker back and continues later. */
export class SourceBusy extends Error {
  readonly ms: number;
  readonly because: "limit" | "failure";
  /** The message is shown when the source stays unavailable. */
  constructor(ms: number, because: "limit" | "failure", message: string) {
    super(message);
    this.ms = ms;
    this.because = because;
  }
}

/** The import was cancelled, or another run has taken it over. */
export class LockLost extends Error {}

/** The message of an error for the import's starter; undefined for a defect of the service. */
export function importErrorMessage(error: unknown): string | undefined {
  if (error instanceof ImportFailure || error instanceof SourceBusy) return error.message;
  if (!(error instanceof Failure)) return undefined;
  return error.issues.map(({ message }) => message).join(" ") || error.message;
}

/** Whether the database or the storage is unavailable: the import continues when it is back. */
export const isTransient = (error: unknown) =>
  error instanceof Failure && error.failure === "SERVICE_UNAVAILABLE";

/** Ends the import when the account that started it reaches its daily limit. */
export function failAtDailyLimit(error: unknown): never {
  const isLimit = error instanceof Failure && error.failure === "TOO_MANY_REQUESTS";
  throw isLimit ? new ImportFailure(dailyLimitText) : error;
}
const dailyLimitText =
  "The account that started this import reached its daily limit. " +
  "Start the import again tomorrow: it creates what is missing.";
