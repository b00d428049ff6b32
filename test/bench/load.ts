import { Client } from "undici";

/** One request of a case; `body` is JSON. */
export type Call = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  body?: string;
  headers?: Record<string, string>;
};

/** The next call of one of the connections. */
export type Calls = (connection: number) => Call;

/** What was measured: how many answers came in how many seconds, and how long each took, in ms. */
export type Sample = { requests: number; seconds: number; latencies: number[] };

/** How many connections call at the same time, each with one request at a time. */
export const connections = 16;

/**
 * Calls a server for some seconds, at least once on each connection; throws unless all succeed.
 *
 * The connections are divided among the origins, which are instances of the server.
 */
export async function load(
  origins: string[],
  token: string,
  calls: Calls,
  { seconds, count = connections }: { seconds: number; count?: number },
): Promise<Sample> {
  const latencies: number[] = [];
  const clients = Array.from(
    { length: count },
    (_, index) => new Client(origins[index % origins.length] ?? "", { pipelining: 1 }),
  );
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const began = performance.now();
  const end = began + seconds * 1000;
  const line = async (client: Client, connection: number) => {
    do {
      const sent = performance.now();
      await send(client, calls(connection), headers);
      latencies.push(performance.now() - sent);
    } while (performance.now() < end);
  };
  try {
    await Promise.all(clients.map(line));
  } finally {
    await Promise.all(clients.map((client) => client.destroy()));
  }
  return { requests: latencies.length, seconds: (performance.now() - began) / 1000, latencies };
}

const isSuccess = (status: number) => status >= 200 && status < 300;

function send(client: Client, { method, path, body, ...own }: Call, usual: object) {
  const headers = { ...usual, ...own.headers };
  return new Promise<void>((resolve, reject) => {
    let status = 0;
    let fault = "";
    client.dispatch(
      { method, path, headers, body: body ?? null },
      {
        onRequestStart() {},
        onResponseStart(_, code) {
          status = code;
        },
        onResponseData(_, chunk) {
          if (!isSuccess(status)) fault += chunk.toString();
        },
        onResponseEnd() {
          if (isSuccess(status)) resolve();
          else reject(new Error(`${method} ${path} answered ${status}: ${fault}`));
        },
        onResponseError(_, error) {
          reject(error);
        },
      },
    );
  });
}
