import { isIP } from "node:net";
import type { buildConnector } from "undici";

const maxBodyBytes = 64 * 1024;
/** How many 1xx responses are accepted before the final one. */
const maxInterimResponses = 100;
/** How many addresses are tried: enough to skip a dead one, too few to scan a network. */
export const maxAddresses = 4;

/** A POST to `url` over one of `addresses`; `signal` aborts it at any stage. */
export type OutgoingRequest = {
  url: URL;
  addresses: string[];
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
};

/** A response with at most 64 kB of its body; `bodyError` says why the body is incomplete. */
export type OutgoingResponse = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  bodyError?: unknown;
};

/** Sends a POST on its own connection, without redirects, retries, proxies or decompression. */
export async function post(request: OutgoingRequest): Promise<OutgoingResponse> {
  const { Client, errors } = await import("undici");
  const { url, addresses, headers, body, signal } = request;
  const client = new Client(url.origin, {
    connect: await pinned(url, addresses, signal),
    // The signal limits the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  let interimResponses = 0;
  try {
    const response = await client.request({
      method: "POST",
      path: url.pathname + url.search,
      headers: { ...headers, "accept-encoding": "identity" },
      body,
      signal,
      reset: true,
      onInfo() {
        if (++interimResponses > maxInterimResponses) {
          throw new errors.ResponseExceededMaxSizeError();
        }
      },
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      ...(await readBody(response.body)),
    };
  } finally {
    // Closes the connection even if the body continues.
    void client.destroy().catch(() => undefined);
  }
}

/** A connector that connects to the given addresses only. */
export async function pinned(
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
    lookup: (_name, _options, answer) =>
      answer(
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
