import { z } from "zod";
import {
  badGateway,
  badRequest,
  Failure,
  failure,
  tooManyRequests,
} from "../../platform/errors.ts";
import type { OutgoingOptions } from "../../platform/http/address-guard.ts";
import { readResponse } from "../../platform/http/responses.ts";
import {
  createThirdPartyClient,
  joinUrl,
  retryAfter,
  type ThirdPartyResponse,
} from "../../platform/http/third-party.ts";

/** The address of a service that a user hosts. */
export const HostUrl = z
  .string()
  .trim()
  .max(2_048)
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), {
    error: "Must be an address that starts with https://",
  })
  .meta({ format: "uri", examples: ["https://boards.example.com"] });

/** A service that a user hosts: its name, its address, and the credentials in their headers. */
export type Host = {
  service: string;
  url: string;
  headers: Record<string, string>;
  /** How a refusal also comes about: the host gives the same answer beyond its rate limit. */
  refusesOverLimit?: string;
  /** What to do about a refusal, by its text at the host. */
  refusals?: ReadonlyMap<string, string>;
};

/** Calls a path of a host; `body` makes it a POST. Throws 400, 403, 404, 429 or 502. */
export type CallHost = <T>(path: string, shape: z.ZodType<T>, body?: object) => Promise<T>;

/** The limits of a response: a board with everything on it comes in one. */
const limits = { requestMs: 60_000, totalMs: 60_000, bytes: 32 * 1024 * 1024 };
/** The most objects and other values of a response. */
const size = { objects: 150_000, values: 2_000_000 };

/** Sends a request to a host that a user named, if the address guard allows it. */
export const fetchFromHost =
  (host: Host, outgoing: OutgoingOptions, signal?: AbortSignal) =>
  async (path: string, body?: object): Promise<Uint8Array[]> => {
    const { service, url, headers } = host;
    const send = createThirdPartyClient(service, { ...limits, signal }, outgoing);
    const response = await send(joinUrl(url, path), {
      headers: {
        Accept: "application/json",
        "Accept-Encoding": "identity",
        ...headers,
      },
      ...(body === undefined ? {} : { method: "POST", body }),
    });
    return accept(host, response);
  };

/** Reads the answer of a host. */
export const readHostResponse = <T>(
  { service }: Host,
  chunks: Uint8Array[],
  shape: z.ZodType<T>,
  signal?: AbortSignal,
): Promise<T> => readResponse({ service, chunks }, shape, { size, signal });

/** Calls a host that a user named, if the address guard allows it. */
export const callHost = (host: Host, outgoing: OutgoingOptions, signal?: AbortSignal): CallHost => {
  const send = fetchFromHost(host, outgoing, signal);
  return async (path, shape, body) => readHostResponse(host, await send(path, body), shape, signal);
};

/** The wait for hosts that name no delay: they count calls by the minute. */
const usualWait = 60;

function accept(host: Host, { status, headers, chunks, text }: ThirdPartyResponse) {
  const { service, url } = host;
  // A page comes from a proxy or from the service's own web application, not from its API.
  const isPage = headers.get("content-type")?.includes("html") === true;
  const notAtUrl = (message: string) => badRequest("target_refused", message, ["url"]);
  if (status === 200 && !isPage) return chunks;
  if (status >= 300 && status < 400) {
    const to = headers.get("location") ?? "";
    const target = URL.canParse(to, url) ? new URL(to, url).origin : "another address";
    throw notAtUrl(`${service} redirects to ${target}. Send its own address as the url.`);
  }
  if (isPage && (status === 200 || status === 404))
    throw notAtUrl(`The url is not the address of ${service}: it answers with a web page.`);
  if (status === 401 || status === 403)
    throw failure("source_credentials_refused", refusalOf(host, text));
  if (status === 404) throw failure("source_not_found", `${service} does not have this resource.`);
  if (status === 429)
    throw tooManyRequests(
      "provider_rate_limited",
      `The rate limit of ${service} is used up.`,
      Math.min(Math.max(retryAfter(headers) ?? usualWait, 1), 86_400),
    );
  throw badGateway("provider_failed", `${service} answered with status ${status}.`);
}

/** Why a host refuses a credential, where that is known. */
function refusalOf({ service, refusals = new Map(), refusesOverLimit }: Host, text: string) {
  const known = [...refusals].find(([phrase]) => text.includes(phrase))?.[1];
  if (known !== undefined) return known;
  return [`${service} refused the credentials.`, refusesOverLimit ?? []].flat().join(" ");
}

/** Whether a host refused the credentials. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Failure &&
  error.issues.some(({ code }) => code === "source_credentials_refused");

/** An address without the path of its API, which users copy too. */
export function withoutApiPath(url: string): string {
  const parts = url.split("/");
  const dropLast = (name: string) => {
    if (parts.at(-1)?.toLowerCase() === name) parts.pop();
  };
  while (parts.at(-1) === "") parts.pop();
  if (parts.at(-2)?.toLowerCase() === "api") dropLast("v1");
  dropLast("api");
  while (parts.at(-1) === "") parts.pop();
  return parts.join("/");
}
