/** Whether an `If-None-Match` header contains an ETag. */
export function matchesEtag(header: string | null | undefined, tag: string): boolean {
  if (!header) return false;
  return header
    .split(",")
    .some((candidate) => candidate.trim() === "*" || candidate.trim().replace(/^W\//, "") === tag);
}

/** 304 with the headers of the response, except those that describe its body. */
export function notModifiedResponse(headers: Readonly<Record<string, string>>): Response {
  const kept = Object.entries(headers).filter(
    ([name]) => !/^(?:accept-ranges$|content-(?!security))/i.test(name),
  );
  return new Response(null, { status: 304, headers: Object.fromEntries(kept) });
}
