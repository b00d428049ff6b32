import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

/** A recorded request. */
export type Recorded = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
};

/** An answer: an object body is written as JSON, a string unchanged. */
export type Reply = {
  status: number;
  headers?: Record<string, string>;
  body: string | Buffer | object;
};

/** A fault: a reply that depends on the request, or an action on the connection. */
export type Fault = (request: Recorded, response: ServerResponse) => Reply | void;

/** A local server in the role of a third party. */
export type StandIn = {
  url: string;
  /** Every request so far, oldest first. */
  requests: Recorded[];
  /** Fails the next requests, one fault each, in this order. */
  failNext(...faults: Fault[]): void;
  /** Fails all further requests; `undefined` ends the failure. */
  failAlways(fault: Fault | undefined): void;
  /** Fails each request whose number `isFailed`; `undefined` ends that. */
  failSome(isFailed: ((nth: number) => boolean) | undefined, fault: Fault): void;
  stop(): Promise<void>;
};

/** Starts a server on a free loopback port that answers with `answer` or the set fault. */
export async function startStandIn(answer: (request: Recorded) => Reply): Promise<StandIn> {
  const requests: Recorded[] = [];
  const next: Fault[] = [];
  let always: Fault | undefined;
  let some: Fault | undefined;
  let isFailed: ((nth: number) => boolean) | undefined;

  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://stand-in");
    const request: Recorded = {
      method: incoming.method ?? "GET",
      path: pathname,
      query: searchParams,
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    requests.push(request);
    const fault = next.shift() ?? (isFailed?.(requests.length) === true ? some : always);
    const reply = fault === undefined ? answer(request) : fault(request, response);
    if (reply === undefined) return;
    const isText = typeof reply.body === "string" || Buffer.isBuffer(reply.body);
    response.writeHead(reply.status, {
      "content-type": isText ? "text/plain; charset=utf-8" : "application/json; charset=utf-8",
      ...reply.headers,
    });
    response.end(isText ? reply.body : JSON.stringify(reply.body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port was bound.");

  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    failNext: (...faults) => void next.push(...faults),
    failAlways: (fault) => void (always = fault),
    failSome: (given, fault) => void ([isFailed, some] = [given, fault]),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** An HTML page, as proxies and load balancers answer. */
export const htmlPage =
  (status: number): Fault =>
  () => ({
    status,
    headers: { "content-type": "text/html; charset=utf-8" },
    body: `<!DOCTYPE html><html><head><title>${status}</title></head><body>Unicorn!</body></html>`,
  });

/** Never answers. */
export const stall: Fault = () => undefined;

/** Starts a valid answer and stops. */
export const breakOff: Fault = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.write("[");
};

/** Closes the connection instead of answering. */
export const disconnect: Fault = (_, response) => void response.socket?.destroy();

/** Redirects the caller. */
export const redirectTo =
  (location: string): Fault =>
  () => ({ status: 302, headers: { location }, body: "" });

/** 200 with this JSON. */
export const json =
  (body: object): Fault =>
  () => ({ status: 200, body });

/** 200 with this text as JSON. */
export const text =
  (body: string): Fault =>
  () => ({ status: 200, headers: { "content-type": "application/json" }, body });

/** A few kilobytes that decompress to this many bytes of JSON. */
export const gzipBomb =
  (bytes: number): Fault =>
  () => ({
    status: 200,
    headers: { "content-type": "application/json", "content-encoding": "gzip" },
    body: gzipSync(`"${"a".repeat(bytes)}"`),
  });

/** Repeats the caller's credential in every field of an error. */
export const echo =
  (status: number): Fault =>
  (request) => {
    const said = `${request.headers.authorization ?? ""} ${request.body} ${request.query.toString()}`;
    return {
      status,
      body: { message: said, error: said, error_description: said, errors: [{ message: said }] },
    };
  };
