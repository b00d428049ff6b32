/**
 * The address of a service, or a path of the page's own server, without the paths that are added.
 *
 * Throws for another text, and says what to write.
 */
export function serviceAddress(url: string): string {
  if (/^(?!https?:\/\/|\/|$)/i.test(url)) {
    const complete = `http://${url.replace(/^.*:\/\//, "")}`;
    throw new TypeError(`The url must start with http:// or https://. Write "${complete}".`);
  }
  return url.replace(/(?<!\/)\/*(?:\/(?:api\/v1|trpc)\/*)?$/, "");
}
