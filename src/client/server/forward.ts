/** The request headers that the service reads. Cookies are not among them. */
const sent = `accept content-type content-disposition idempotency-key if-match if-none-match
  if-range last-event-id prefer range`.split(/\s+/);
/** The response headers that belong to the connection to the service, or to its encoding. */
const dropped = "connection content-encoding content-length keep-alive transfer-encoding".split(
  " ",
);

type Options = {
  /** The address of the service. */
  url: string;
  /** The path of the request below your own route: `/trpc/card.get`, `/api/v1/boards/…`. */
  path: string;
  /** The access token; undefined for a user who is not signed in. */
  token: string | undefined;
};

/**
 * Forwards a request of the browser to the service, with the token of the session.
 *
 * A write of another site is 403: the browser would send its cookie along.
 */
export async function forward(request: Request, { url, path, token }: Options): Promise<Response> {
  const isWrite = request.method !== "GET" && request.method !== "HEAD";
  if (isWrite && !isSameOrigin(request)) {
    const body = { code: "FORBIDDEN", message: "The request comes from another site.", issues: [] };
    return Response.json(body, { status: 403 });
  }
  const headers = new Headers();
  for (const name of sent) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
  const target = new URL(url.replace(/(?<!\/)\/+$/, "") + path);
  if (!/\/(?:trpc|api\/v1)\//.test(target.pathname) || target.origin !== new URL(url).origin) {
    throw new TypeError(`The path ${path} is not below /trpc or /api/v1.`);
  }
  target.search = new URL(request.url).search;
  const init = { method: request.method, headers, signal: request.signal };
  // Node.js sends a stream only as half duplex.
  const body =
    isWrite && request.body !== null ? { body: request.body, duplex: "half" as const } : {};
  const response = await fetch(target, { ...init, ...body });
  const passed = new Headers(response.headers);
  for (const name of dropped) passed.delete(name);
  return new Response(response.body, { status: response.status, headers: passed });
}

/** Whether the page of the request has the origin of the request, as its browser says. */
function isSameOrigin(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = request.headers.get("origin");
  const host = request.headers.get("host") ?? new URL(request.url).host;
  return origin === null || new URL(origin).host === host;
}
