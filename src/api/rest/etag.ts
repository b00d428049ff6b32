/** Whether an `If-None-Match` header names a tag. */
export function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(",")
    .some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === tag);
}
