import { ImportFailure } from "../job/failure.ts";
import type { ReportIssue } from "../job/report.ts";
import { nameOf, shortened } from "../../../platform/foreign-text.ts";

/** Reports what is not imported. */
export type Skip = (issue: ReportIssue) => void;
/** Reports a change of the resource that is converted. */
export type SkipPartly = (reason: string) => void;
/** Reports what is not imported of a card; the issue names the card unless `details` do not. */
export type SkipOnCard = (kind: string, reason: string, details?: Partial<ReportIssue>) => void;
type Named = { id: string; name?: unknown };

/** The most bytes of a card with everything on it, which is written in one transaction. */
const maxCardBytes = 32 * 1024 * 1024;

/** Ends an import whose card is too large. */
export function checkCardBytes(id: string, bytes: number): void {
  if (bytes > maxCardBytes)
    throw new ImportFailure(`The card ${id} has more than ${maxCardBytes} bytes.`);
}

/** The most boards of an import, and the most cards and people of a board of a host. */
const limits = { boards: 10_000, cards: 100_000, people: 20_000 };

/** Ends an import of more than the service keeps in memory. A host can send pages without end. */
export function checkMax(kind: keyof typeof limits, count: number): void {
  if (count > limits[kind])
    throw new ImportFailure(
      `The source has more than ${limits[kind].toLocaleString("en")} ${kind}.`,
    );
}

/** The reason for what a source has more than once. */
export const repeated = "The source contains another one with the same id.";

/** A name within our limits; reports a name that is missing or was cut. */
export function limitedName(
  kind: string,
  { id, name }: Named,
  max: number,
  fallback: string,
  skip: Skip,
): string {
  const full = nameOf(name);
  const result = nameOf(shortened(full ?? fallback, max)) ?? fallback;
  const issue = { kind, sourceId: id, name: full ?? result, severity: "partial" } as const;
  if (full === null) skip({ ...issue, reason: "It had no name." });
  else if (result !== full) skip({ ...issue, reason: `The name was cut to ${max} characters.` });
  return result;
}

/** A text within our limits; null for no text. Reports a text that was cut. */
export function limitedText(
  what: string,
  text: string | null,
  max: number,
  partly: SkipPartly,
): string | null {
  const result = text === null ? null : shortened(text, max);
  if (result !== text) partly(`The ${what} was cut to ${max.toLocaleString("en")} characters.`);
  return result || null;
}

/** The title of a card, and what adds to its issues. `rest` has a title that is too long. */
export function titleOf({ id: sourceId, name }: Named, fallback: string, issues: ReportIssue[]) {
  const full = nameOf(name);
  const title = nameOf(shortened(full ?? fallback, 2_000)) ?? fallback;
  const skip: SkipOnCard = (kind, reason, details = {}) =>
    void issues.push({ kind, sourceId, name: title, reason, ...details });
  const partly: SkipPartly = (reason) => skip("card", reason, { severity: "partial" });
  const cut = "The title was cut to 2,000 characters: the description has all of it.";
  const isCut = full !== null && title !== full;
  if (full === null || isCut) partly(isCut ? cut : "It had no name.");
  return { title, rest: isCut ? [`The whole title: ${full}`] : [], skip, partly };
}

/** The description of a card, with what has no field of its own. */
export const descriptionOf = (parts: string[], partly: SkipPartly): string | null =>
  limitedText("description", parts.filter((part) => part !== "").join("\n\n"), 100_000, partly);
