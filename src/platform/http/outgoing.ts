import { isIP } from "node:net";
import type { buildConnector, Client, Dispatcher } from "undici";

const maxBodyBytes = 64 * 1024;
/** How many 1xx responses are accepted before the final one. */
const maxInterimResponses = 100;
/** How many addresses are tried: enough to skip a dead one, too few to scan a network. */
export const maxAddresses = 4;

/** A request to a checked destination; `timeoutMs` is the longest silence, 0 for no limit. */
type GuardedRequest = {
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
  version: string;
  signal: AbortSignal;
  timeoutMs: number;
};

type Destination = { url: URL; addresses: string[] };

/** A connection to a checked destination, and to no other address. */
export async function connectTo(
  { url, addresses }: Destination,
  { signal, timeoutMs }: Pick<GuardedRequest, "signal" | "timeoutMs">,
): Promise<Client> {
  const { Client } = await import("undici");
  return new Client(url.origin, {
    connect: await pinned(url, addresses, signal),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
}

/** Sends a request on its own connection, without redirects, retries, proxies or decompression. */
export async function sendTo(
  { url, addresses }: Destination,
  { method = "GET", headers = {}, body, version, signal, timeoutMs }: GuardedRequest,
): Promise<Dispatcher.ResponseData> {
  const { errors } = await import("undici");
  const client = await connectTo({ url, addresses }, { signal, timeoutMs });
  // Closes the connection even when the body goes on.
  const close = () => void client.destroy().catch(() => undefined);
  let interimResponses = 0;
  try {
    const response = await client.request({
      method,
      path: url.pathname + url.search,
      headers: { "user-agent": `workspace-board-service/${version}`, ...headers },
      ...(body === undefined ? {} : { body }),
      signal,
      reset: true,
      onInfo() {
        if (++interimResponses > maxInterimResponses) {
          throw new errors.ResponseExceededMaxSizeError();
        }
      },
    });
    response.body.once("close", close);
    return response;
  } catch (error) {
    close();
    throw error;
  }
}

/** A response with at most 64 kB of its body; `bodyError` says why the body is incomplete. */
export type OutgoingResponse = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  bodyError?: unknown;
};

/** Sends a POST, and reads its response; the signal limits the whole exchange. */
export async function post(
  to: Destination,
  { headers, ...request }: Pick<GuardedRequest, "headers" | "body" | "version" | "signal">,
): Promise<OutgoingResponse> {
  const response = await sendTo(to, {
    ...request,
    method: "POST",
    headers: { ...headers, "accept-encoding": "identity" },
    timeoutMs: 0,
  });
  const { statusCode: status, headers: received } = response;
  return { status, headers: received, ...(await readBody(response.body)) };
}

/** A connector that connects to the given addresses only. */
async function pinned(
  url: URL,
  addresses: string[],
  signal: AbortSignal,
): Promise<buildConnector.connector> {
  const { buildConnector } = await import("undici");
  const connect = buildConnector({
    signal,
    timeout: 0,
    maxCachedSessions: 0,
    rejectUnauthorized: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 2_000,
    lookup: (_name, _options, response) =>
      response(
        null,
        addresses.slice(0, maxAddresses).map((address) => ({ address, family: isIP(address) })),
      ),
  });
  const name = url.hostname.replace(/\.$/, "");
  // The lookup is not called for an IP literal. Its certificate is checked against its address.
  const isLiteral = isIP(name.replace(/^\[|\]$/g, "")) !== 0;
  const destination = isLiteral
    ? { hostname: addresses[0] ?? "", servername: "" }
    : { hostname: name, servername: name };
  return (options, done) => connect({ ...options, ...destination }, done);
}

async function readBody(stream: AsyncIterable<Buffer>) {
  const chunks: Buffer[] = [];
  let size = 0;
  const body = () => Buffer.concat(chunks).subarray(0, maxBodyBytes);
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxBodyBytes) break;
    }
    return { body: body() };
  } catch (bodyError) {
    return { body: body(), bodyError };
  }
}
