import { serviceAddress } from "../address.ts";
import { addressHeader, type Visitor } from "./visitor.ts";

/** The request headers that the service reads. Cookies are not among them. */
const forwardedHeaders =
  `accept content-type content-disposition idempotency-key if-match if-none-match
  if-range last-event-id range`.split(/\s+/);
/** The response headers that belong to the connection to the service, or to its encoding. */
const dropped = "connection content-encoding content-length keep-alive transfer-encoding".split(
  " ",
);

type Options = Visitor & {
  /** The address of the service. */
  url: string;
  /** The path of the request below your own route: `/trpc/card.get`, `/api/v1/boards/…`. */
  path: string;
  /** The access token; undefined for a user who is not signed in. */
  token: string | undefined | Promise<string | undefined>;
};

/**
 * Forwards a request of the browser to the service, with the token of the session.
 *
 * A write of another site is 403: the browser would send its cookie along. While the service or the
 * token is unavailable the answer is 503, after which clients try again.
 */
export async function forward(request: Request, options: Options): Promise<Response> {
  // A request that is refused does not wait for its token.
  const token = Promise.resolve(options.token);
  token.catch(() => undefined);
  const isWrite = request.method !== "GET" && request.method !== "HEAD";
  if (isWrite && !isSameOrigin(request)) {
    return failure(403, "FORBIDDEN", "The request comes from another site.");
  }
  const target = targetOf(request, options);
  const headers = new Headers(addressHeader(options));
  for (const name of forwardedHeaders) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const init = { method: request.method, headers, signal: request.signal };
  // Node.js sends a stream only as half duplex.
  const body =
    isWrite && request.body !== null ? { body: request.body, duplex: "half" as const } : {};
  let response: Response;
  try {
    const credential = await token;
    if (credential !== undefined) headers.set("Authorization", `Bearer ${credential}`);
    response = await fetch(target, { ...init, ...body });
  } catch (error) {
    if (request.signal.aborted) throw error;
    return failure(503, "SERVICE_UNAVAILABLE", "The service cannot be reached.");
  }
  const passed = new Headers(response.headers);
  for (const name of dropped) passed.delete(name);
  return new Response(response.body, { status: response.status, headers: passed });
}

/** The address at the service. Only its operations are reachable. */
function targetOf(request: Request, { url, path }: Options): URL {
  const target = new URL(serviceAddress(url) + path);
  if (!/\/(?:trpc|api\/v1)\//.test(target.pathname) || target.origin !== new URL(url).origin) {
    throw new TypeError(`The path ${path} is not below /trpc or /api/v1.`);
  }
  target.search = new URL(request.url).search;
  return target;
}

/** An error in the form of the service. */
const failure = (status: number, code: string, message: string) =>
  Response.json({ code, message, issues: [] }, { status });

/** Whether the page of the request has the origin of the request, as its browser says. */
function isSameOrigin(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = request.headers.get("origin");
  const host = request.headers.get("host") ?? new URL(request.url).host;
  if (origin === null) return true;
  // The origin of a sandboxed page is "null".
  return URL.canParse(origin) && new URL(origin).host === host;
}
