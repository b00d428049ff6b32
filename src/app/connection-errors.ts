import { IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { ServerType } from "@hono/node-server";
import { Failure, failures, type FailureCode } from "../platform/errors.ts";
import { publicId } from "../platform/db/public-id.ts";

/** Answers what Node.js answers without the application: with our errors and a request id. */
export function answerConnectionErrors(server: ServerType): void {
  server.on("clientError", (error: Error & { code?: string }, socket: Duplex) => {
    if (!socket.writable || error.code === "ECONNRESET") socket.destroy();
    else socket.end(rawResponse(failureOf(error.code)));
  });
  server.on("checkExpectation", (_: IncomingMessage, response: ServerResponse) => {
    const { status, body, headers } = contentOf(
      new Failure("EXPECTATION_FAILED", [{ message: "The only expectation is 100-continue." }]),
    );
    response.writeHead(status, headers).end(body);
  });
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    continueWhenRead(request, response);
    server.emit("request", request, response);
  });
}

/** Sends 100 Continue when the body is first read, after authorization and the length check. */
function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  let isSent = false;
  request._read = (size) => {
    if (!isSent && !response.headersSent) response.writeContinue();
    isSent = true;
    IncomingMessage.prototype._read.call(request, size);
  };
}

const problems: Readonly<Record<string, [code: FailureCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["REQUEST_HEADERS_TOO_LARGE", "The headers must not exceed 16 KiB."],
  ERR_HTTP_REQUEST_TIMEOUT: ["REQUEST_TIMEOUT", "The request arrived too slowly."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ["PAYLOAD_TOO_LARGE", "The chunk extensions are too large."],
};

function failureOf(code = ""): Failure {
  const [failure, message] = problems[code] ?? ["BAD_REQUEST", "The request is not valid HTTP."];
  return new Failure(failure, [{ message }]);
}

function contentOf({ failure, body: content }: Failure) {
  const body = JSON.stringify(content);
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": publicId(),
    Connection: "close",
  };
  return { status: failures[failure].status, headers, body };
}

function rawResponse(failure: Failure): string {
  const { status, headers, body } = contentOf(failure);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${failures[failure.failure].message}`, ...lines, "", body].join(
    "\r\n",
  );
}
