import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { streamResponse } from "../../src/api/rest/stream-response.ts";
import { streamedBody } from "../../src/api/rest/streamed-body.ts";
import { createLogger } from "../../src/api/request-log.ts";
import { closeServer, listen, portOf } from "../../src/app/http-server.ts";

type Fetch = Parameters<typeof listen>[0];

/** Calls a server with a handler; returns its answer and the lines of its log. */
async function call(
  makeFetch: (log: ReturnType<typeof createLogger>) => Fetch,
  encoding = "identity",
) {
  const lines: string[] = [];
  const log = createLogger("info", { write: (line) => void lines.push(line) });
  const address = { HOST: "127.0.0.1", PORT: 0, MIN_READ_RATE: 0, baseUrl: "" };
  const server = await listen(makeFetch(log), address, log);
  onTestFinished(() => closeServer(server, AbortSignal.abort()));
  const headers = { "X-Request-Id": "request-1", "Accept-Encoding": encoding };
  const response = await fetch(`http://127.0.0.1:${portOf(server)}/`, { headers });
  const text = await response.text().catch((error: unknown) => error);
  return { response, text, lines: lines.map((line) => JSON.parse(line)) };
}

const secret = 'relation "secrets" does not exist';
const unexpected = { code: "unexpected", message: "The request id is request-1." };
const logged = { level: 50, requestId: "request-1", err: { message: secret } };

/** A handler that answers with a stream of parts; an error fails it. */
const streaming =
  (...parts: (string | Error)[]) =>
  (log: ReturnType<typeof createLogger>): Fetch =>
  async (request, env) => {
    async function* made() {
      for (const part of parts) {
        if (part instanceof Error) throw part;
        yield Buffer.from(part);
      }
    }
    const stream = {
      filename: "file",
      contentType: "application/x-ndjson",
      open: () => Promise.resolve(made()),
    };
    const headers = { "X-Request-Id": request.headers.get("x-request-id") ?? "" };
    const connection = env.outgoing;
    return streamResponse(request, stream, headers, {
      deps: { log },
      chargeBytes: undefined,
      connection,
    });
  };

test("an error outside all routes is a logged 500 with the request id", async () => {
  const failing = (error: unknown) => () => async (): Promise<Response> => {
    throw error;
  };
  for (const error of [new Error(secret), new TypeError(secret)]) {
    const { response, text, lines } = await call(failing(error));
    expect(response.status).toBe(500);
    expect(JSON.parse(String(text))).toMatchObject({ issues: [unexpected] });
    expect(lines).toMatchObject([logged]);
  }
  // Not every thrown value is an error.
  const { response, lines } = await call(failing("a text"));
  expect([response.status, lines]).toMatchObject([500, [{ level: 50, requestId: "request-1" }]]);
});

test("a stream that fails before its first byte is a 500 without the message", async () => {
  const { response, text, lines } = await call(streaming(new Error(secret)));
  expect([response.status, response.headers.get("content-type")]).toEqual([
    500,
    "application/json",
  ]);
  expect(JSON.parse(String(text))).toMatchObject({ issues: [unexpected] });
  expect(lines).toMatchObject([logged]);
});

const encodings = ["identity", "gzip", "br"];

test.each(encodings)(
  "a stream that fails later is cut without the message, and is logged: %s",
  async (encoding) => {
    const failing = streaming("{}\n", new Error(secret));
    const { response, text, lines } = await call(failing, encoding);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-encoding") ?? "identity").toBe(encoding);
    expect(text).toBeInstanceOf(TypeError);
    expect(lines).toMatchObject([{ ...logged, msg: "streamed response failed" }]);
  },
);

test.each(encodings)("a whole stream has all its bytes: %s", async (encoding) => {
  const { text, lines } = await call(streaming("a\n", "b\n", "c\n"), encoding);
  expect([text, lines]).toEqual(["a\nb\nc\n", []]);
  expect((await call(streaming(), encoding)).text).toBe("");
});

test.each(encodings)("a client that disconnects ends the generator: %s", async (encoding) => {
  const log = createLogger("info", { write: () => undefined });
  let isEnded = false;
  async function* endless() {
    try {
      for (;;) yield randomBytes(64 * 1024);
    } finally {
      isEnded = true;
    }
  }
  const stream = {
    filename: "file",
    contentType: "text/csv",
    open: () => Promise.resolve(endless()),
  };
  const request = new Request("http://service/", { headers: { "Accept-Encoding": encoding } });
  const sending = { deps: { log }, chargeBytes: undefined, connection: undefined };
  const { body } = await streamResponse(request, stream, {}, sending);
  const reader = body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await expect.poll(() => isEnded).toBe(true);
});

test("a client that disconnects while a stream waits for its next part is no failure", async () => {
  const lines: string[] = [];
  const log = createLogger("info", { write: (line) => void lines.push(line) });
  let give: (text: string) => void = () => undefined;
  const later = new Promise<string>((resolve) => (give = resolve));
  const source = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        controller.enqueue(Buffer.from(await later));
        controller.close();
      },
      start: (controller) => controller.enqueue(Buffer.from("first")),
    },
    { highWaterMark: 0 },
  );
  const body = await streamedBody(source, { log, requestId: "request-1" });
  const reader = body.getReader();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("first");
  const next = reader.read();
  await new Promise((resolve) => setImmediate(resolve));
  await reader.cancel("gone");
  give("second");
  expect(await next).toEqual({ done: true, value: undefined });
  await new Promise((resolve) => setImmediate(resolve));
  expect(lines).toEqual([]);
});
