import { failure } from "../../platform/errors.ts";

const tag = /^\s*"(\d+)(?:-[^"]*)?"\s*$/;
const weakTag = /^\s*W\/"/;

/**
 * The versions that an `If-Match` header names; null for one that every version matches.
 *
 * A weak tag names none: `If-Match` compares strongly (RFC 9110, section 13.1.1).
 */
function versionsIn(ifMatch: string): number[] | null {
  if (ifMatch.trim() === "*") return null;
  return ifMatch.split(",").flatMap((text) => {
    const version = tag.exec(text)?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}

/** Throws 412 unless `If-Match` names the current version of a resource. */
export function checkPrecondition(ifMatch: string | undefined, version: number | undefined): void {
  if (ifMatch === undefined || version === undefined) return;
  const versions = versionsIn(ifMatch);
  if (versions === null || versions.includes(version)) return;
  if (ifMatch.split(",").every((text) => weakTag.test(text))) {
    const message = `If-Match does not take weak tags. Send "${version}", without W/, if that is what you have read.`;
    throw failure("stale", message);
  }
  throw failure("stale", `The resource has changed: its version is now ${version}. Read it again.`);
}
