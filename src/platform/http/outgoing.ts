import { isIP } from "node:net";
import { buildConnector, Client, errors } from "undici";

const answerLimit = 64 * 1024;
/** How many answers of 1xx may come before the one that counts: whoever sends them without end costs us more than them. */
const mostInterim = 100;

/** A POST to `url` that connects to one of `addresses` and to nothing else; `signal` ends it at any stage. */
export type Outgoing = {
  url: URL;
  addresses: string[];
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
};

/** What came back: at most 64 kB of body as sent (never unpacked), and in `fault` why the body is not whole, if it broke off. */
export type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  fault?: unknown;
};

/** Sends a POST on a connection of its own, without redirects, retries or proxies; rejects when no answer began. */
export const post = async ({
  url,
  addresses,
  headers,
  body,
  signal,
}: Outgoing): Promise<Answer> => {
  const client = new Client(url.origin, {
    connect: pinned(url, addresses, signal),
    // The signal bounds all of it together.
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
        if (++interim > mostInterim) throw new errors.ResponseExceededMaxSizeError();
      },
    });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      ...(await beginning(answer.body)),
    };
  } finally {
    // Cuts the connection, also under a body that has more to say.
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
        // Four are enough to get around a dead one, and too few to scan a network with.
        addresses.slice(0, 4).map((address) => ({ address, family: isIP(address) })),
      ),
  });
  const name = url.hostname.replace(/\.$/, "");
  // The lookup is not called for a literal, which has one address; its certificate is checked against that.
  const literal = isIP(name.replace(/^\[|\]$/g, "")) !== 0;
  const to = literal
    ? { hostname: addresses[0] ?? "", servername: "" }
    : { hostname: name, servername: name };
  return (options, done) => connect({ ...options, ...to }, done);
};

const beginning = async (stream: AsyncIterable<Buffer>) => {
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
