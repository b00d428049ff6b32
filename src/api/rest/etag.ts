/** Whether an `If-None-Match` header contains an ETag. */
export function matchesEtag(header: string | null | undefined, tag: string): boolean {
  if (!header) return false;
  return header
    .split(",")
    .some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === tag);
}
