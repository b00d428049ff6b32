import { failure } from "../../platform/errors.ts";

const tag = /^\s*(?:W\/)?"(\d+)(?:-[^"]*)?"\s*$/;

/** The versions that an `If-Match` header names; null for one that every version matches. */
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
  throw failure("stale", `The resource has changed: its version is now ${version}. Read it again.`);
}
