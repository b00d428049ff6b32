/** Whether an `If-None-Match` header contains an ETag. */
export function matchesEtag(header: string | null | undefined, tag: string): boolean {
  if (!header) return false;
  return header
    .split(",")
    .some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === tag);
}

/** 304: with the headers of the response that the client has, without those of its body. */
export function notModifiedResponse(headers: Readonly<Record<string, string>>): Response {
  const own = Object.entries(headers).filter(
    ([name]) => !/^(?:accept-ranges$|content-(?!security))/i.test(name),
  );
  return new Response(null, { status: 304, headers: Object.fromEntries(own) });
}
