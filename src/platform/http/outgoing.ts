import { isIP } from "node:net";
import { buildConnector, Client, errors } from "undici";

const answerLimit = 64 * 1024;
/** The maximum number of 1xx responses. A target could send them forever. */
const maxInterim = 100;

/** A POST to `url` that connects only to `addresses`. `signal` aborts it at any stage. */
export type Outgoing = {
  url: URL;
  addresses: string[];
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
};

/** The response: at most 64 kB of raw body. `fault` is set when the body was cut off. */
export type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  fault?: unknown;
};

/** Sends a POST on its own connection, without redirects, retries or proxies. */
export const post = async ({
  url,
  addresses,
  headers,
  body,
  signal,
}: Outgoing): Promise<Answer> => {
  const client = new Client(url.origin, {
    connect: pinned(url, addresses, signal),
    // The signal is the timeout for everything.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  let interim = 0;
  try {
    const answer = await client.request({
      method: "POST",
      path: url.pathname + url.search,
      headers: { ...headers, "accept-encoding": "identity" },
      body,
      signal,
      reset: true,
      onInfo() {
        if (++interim > maxInterim) throw new errors.ResponseExceededMaxSizeError();
      },
    });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      ...(await readLimited(answer.body)),
    };
  } finally {
    // Closes the connection, also in the middle of a body.
    void client.destroy().catch(() => undefined);
  }
};

const pinned = (url: URL, addresses: string[], signal: AbortSignal): buildConnector.connector => {
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
        // Four addresses tolerate a dead one and are too few to scan a network.
        addresses.slice(0, 4).map((address) => ({ address, family: isIP(address) })),
      ),
  });
  const name = url.hostname.replace(/\.$/, "");
  // The lookup is not called for IP literals. The certificate must match the literal.
  const literal = isIP(name.replace(/^\[|\]$/g, "")) !== 0;
  const to = literal
    ? { hostname: addresses[0] ?? "", servername: "" }
    : { hostname: name, servername: name };
  return (options, done) => connect({ ...options, ...to }, done);
};

const readLimited = async (stream: AsyncIterable<Buffer>) => {
  const chunks: Buffer[] = [];
  let size = 0;
  const body = () => Buffer.concat(chunks).subarray(0, answerLimit);
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= answerLimit) break;
    }
    return { body: body() };
  } catch (fault) {
    return { body: body(), fault };
  }
};
