import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { RequestError } from "@hono/node-server";
import type { Logger } from "pino";
import { errorResponse } from "../api/rest/error-response.ts";
import { errorCodes } from "../contract/error-codes.ts";
import type { FailureCode } from "../contract/failure-codes.ts";
import { failure, type Failure } from "../platform/errors.ts";
import { publicId } from "../platform/db/public-id.ts";
import { getOrInsert } from "../platform/maps.ts";

/** The headers that every response has. */
type Headers = Readonly<Record<string, string>>;

/** Replaces the error responses of Node.js by ours, with a request id. */
export function answerConnectionErrors(server: Server, protective: Headers): void {
  const rawResponse = rawResponseWith(protective);
  const exchanges = trackExchanges(server);
  const failed = new WeakSet<Duplex>();
  server.on("clientError", (error: Error & { code?: string }, socket: Duplex) => {
    if (!socket.writable || error.code === "ECONNRESET") socket.destroy();
    // All bytes after the first error are errors too.
    else if (!failed.has(socket)) {
      failed.add(socket);
      const response = rawResponse(failureOf(error.code));
      endAfterAnswers(socket, exchanges.get(socket) ?? new Map(), response);
    }
  });
  server.on("connect", (_: IncomingMessage, socket: Duplex) => {
    socket.on("error", () => socket.destroy());
    // The server does not close this socket: a client that leaves it open would delay a stop.
    const response = rawResponse(failure("invalid_request", "The service is not a proxy."));
    socket.end(response, () => socket.destroy());
  });
  // Passed on: the application refuses the expectation.
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    server.emit("request", request, response);
  });
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    continueWhenRead(request, response);
    server.emit("request", request, response);
  });
}

/** The responses of a connection that have not ended, with their requests. */
type Exchanges = Map<ServerResponse, IncomingMessage>;

function trackExchanges(server: Server): WeakMap<Duplex, Exchanges> {
  const exchangesBySocket = new WeakMap<Duplex, Exchanges>();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const exchanges = getOrInsert(exchangesBySocket, socket, () => new Map()).set(
      response,
      request,
    );
    response.once("close", () => exchanges.delete(response));
  });
  return exchangesBySocket;
}

/**
 * Ends a connection with an error, after the answers that are due before it.
 *
 * A complete request still gets its answer, so that its client does not take the error for it.
 */
function endAfterAnswers(socket: Duplex, exchanges: Exchanges, response: string): void {
  const due = [...exchanges].find(([{ headersSent }, { complete }]) => complete || headersSent);
  if (due !== undefined) {
    due[0].once("close", () => endAfterAnswers(socket, exchanges, response));
  } else if (socket.writable) socket.end(response);
  else socket.destroy();
}

/** Answers a request whose host or target is no URL, and an error that no other code answers. */
export const answerRequestError =
  (log: Pick<Logger, "error">, protective: Headers) =>
  (error: unknown): Response => {
    const problem =
      error instanceof RequestError
        ? failure("invalid_request", "The host and the path must form a URL.")
        : error;
    return errorResponse(problem, publicId(), { log }, { ...protective, Connection: "close" });
  };

/** Sends 100 Continue when the body is first read, after authorization and the length check. */
function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  request.once("resume", () => {
    if (!response.headersSent) response.writeContinue();
  });
}

const problems: Readonly<Record<string, [code: FailureCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["headers_too_large", "The headers must not exceed 16 KiB."],
  ERR_HTTP_REQUEST_TIMEOUT: ["request_timeout", "The request arrived too slowly."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ["body_too_large", "The chunk extensions are too large."],
};

function failureOf(code = ""): Failure {
  return failure(...(problems[code] ?? ["invalid_request", "The request is not valid HTTP."]));
}

function contentOf({ failure: error, body: content }: Failure) {
  const body = JSON.stringify(content);
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    "X-Request-Id": publicId(),
    Connection: "close",
  };
  return { status: errorCodes[error].status, headers, body };
}

const rawResponseWith =
  (protective: Headers) =>
  (error: Failure): string => {
    const { status, headers, body } = contentOf(error);
    const lines = Object.entries({ ...protective, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n");
  };
