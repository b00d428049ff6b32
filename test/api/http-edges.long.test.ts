import { once } from "node:events";
import { connect } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { useService } from "../e2e/service.ts";

const service = useService();
let token = "";

beforeAll(async () => {
  const response = await fetch(`${service()}/api/v1/auth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      email: "edges@example.com",
      password: "correct horse battery staple",
      name: "Ada",
    }),
  });
  token = ((await response.json()) as { accessToken: string }).accessToken;
});

/**
 * Sends bytes over a socket; returns the first response, without waiting for the connection's end.
 */
async function send(text: string): Promise<{ status: number; headers: string; body: string }> {
  const socket = connect({ port: Number(new URL(service()).port), host: "127.0.0.1" });
  await once(socket, "connect");
  socket.write(text);
  let received = "";
  for await (const chunk of socket) {
    received += String(chunk);
    const [head = "", body = ""] = received.split("\r\n\r\n");
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (received.includes("\r\n\r\n") && body.length >= length) break;
  }
  socket.destroy();
  const [headers = "", body = ""] = received.split("\r\n\r\n");
  return { status: Number(headers.split(" ")[1]), headers, body };
}

const error = (code: string) => ({
  code,
  message: expect.any(String),
  issues: [expect.anything()],
});
const json = (lines: string) =>
  `POST /api/v1/workspaces HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n${lines}`;

test.each([
  ["invalid HTTP", "nonsense\r\n\r\n", 400, "BAD_REQUEST"],
  [
    "headers of 20 kB",
    `GET / HTTP/1.1\r\nHost: a\r\nX-Large: ${"x".repeat(20_000)}\r\n\r\n`,
    431,
    "REQUEST_HEADERS_TOO_LARGE",
  ],
  [
    "an unknown expectation",
    "GET / HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\n\r\n",
    417,
    "EXPECTATION_FAILED",
  ],
  ["two Host headers", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "BAD_REQUEST"],
  ["no Host header", "GET / HTTP/1.1\r\n\r\n", 400, "BAD_REQUEST"],
  ["a host that is no name", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400, "BAD_REQUEST"],
  ["the target *", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 400, "BAD_REQUEST"],
  ["a call for a proxy", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", 400, "BAD_REQUEST"],
  [
    "another coding than chunks",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
    400,
    "BAD_REQUEST",
  ],
])("%s gets an error with a request id", async (_, text, status, code) => {
  const response = await send(text);
  expect(response.status).toBe(status);
  expect(response.headers).toMatch(/x-request-id: \S+/i);
  expect(JSON.parse(response.body)).toEqual(error(code));
});

test("100 Continue is sent when the body is read, and not before authorization", async () => {
  const body = JSON.stringify({ name: "Home" });
  const lines = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`;
  expect((await send(json(lines))).status).toBe(100);
  const anonymous = json(lines).replace(token, "wrong");
  expect((await send(anonymous)).status).toBe(401);
  const text = json(lines).replace("application/json", "text/plain");
  expect((await send(text)).status).toBe(415);
  const large = json(lines).replace(/Content-Length: \d+/, "Content-Length: 99999999");
  expect((await send(large)).status).toBe(413);
});

test.each([
  ["a compressed body", { "Content-Encoding": "gzip" }],
  ["another charset", { "Content-Type": "application/json; charset=utf-16" }],
])("%s is 415", async (_, headers) => {
  const response = await fetch(`${service()}/api/v1/workspaces`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ name: "Home" }),
  });
  expect(response.status).toBe(415);
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service()}/api/v1${path}`, {
    headers: { Authorization: `Bearer ${token}`, ...headers },
  });

test("a query that is not UTF-8 is 400", async () => {
  expect((await get("/users/me/cards?cursor=%ff")).status).toBe(400);
});

test("a client that accepts no JSON gets 406", async () => {
  expect((await get("/users/me", { Accept: "image/png" })).status).toBe(406);
  expect((await get("/users/me", { Accept: "application/json;q=0" })).status).toBe(406);
  for (const accept of ["*/*", "text/html, */*;q=0.8", "application/*", "application/json"]) {
    expect((await get("/users/me", { Accept: accept })).status).toBe(200);
  }
});

test("an invalid token is named as such, a missing one is not", async () => {
  const invalid = await get("/users/me", { Authorization: "Bearer nonsense" });
  expect(invalid.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
  const missing = await fetch(`${service()}/api/v1/users/me`);
  expect(missing.headers.get("www-authenticate")).toBe("Bearer");
});

/** The bytes of an answer as they are sent: fetch would decompress them. */
async function raw(path: string, accept: string, extra = "") {
  const socket = connect({ port: Number(new URL(service()).port), host: "127.0.0.1" });
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\nAccept-Encoding: ${accept}\r\n${extra}\r\n`,
  );
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const all = Buffer.concat(chunks);
  const end = all.indexOf("\r\n\r\n");
  return { headers: all.subarray(0, end).toString(), body: all.subarray(end + 4) };
}

/** The bytes of a body in chunks. */
function unchunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const line = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.subarray(at, line).toString(), 16);
    parts.push(body.subarray(line + 2, line + 2 + size));
    at = line + 4 + size;
    if (size === 0) break;
  }
  return Buffer.concat(parts);
}

const bytesOf = ({ headers, body }: { headers: string; body: Buffer }) =>
  /transfer-encoding: chunked/i.test(headers) ? unchunked(body) : body;

test.each([
  ["br", "gzip, br", (bytes: Buffer) => brotliDecompressSync(bytes)],
  ["gzip", "gzip", (bytes: Buffer) => gunzipSync(bytes)],
])("reads are compressed with %s", async (encoding, accept, decompress) => {
  const response = await raw("/api/v1/openapi.json", accept);
  expect(response.headers).toMatch(new RegExp(`content-encoding: ${encoding}`, "i"));
  expect(response.headers).toMatch(/vary: accept-encoding/i);
  const document = JSON.parse(decompress(bytesOf(response)).toString());
  expect(document.openapi).toMatch(/^3\.1/);
});

test.each([
  "/api/v1/openapi.json",
  "/docs/main.js",
  "/docs/guides.json",
  "/docs/client.js",
  "/docs/client.d.ts",
  "/docs/client.tgz",
])("%s is sent again only when it has changed", async (path) => {
  const first = await fetch(`${service()}${path}`);
  const tag = first.headers.get("etag") ?? "";
  expect([first.status, tag]).toEqual([200, expect.stringMatching(/^".+"$/)]);
  const again = await fetch(`${service()}${path}`, { headers: { "If-None-Match": tag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test.each(["/api/v1/workspaces", "/api/v1/openapi.json", "/docs/main.js"])(
  "304 of %s has the headers of its 200, without those of the body",
  async (path) => {
    const whole = await raw(path, "gzip");
    const named = ({ headers }: { headers: string }, pattern: RegExp) =>
      headers
        .split("\r\n")
        .filter((line) => pattern.test(line))
        .toSorted();
    const tag = /^etag: (.*)$/im.exec(whole.headers)?.[1];
    const same = await raw(path, "gzip", `If-None-Match: ${tag}\r\n`);
    expect(same.headers).toMatch(/^HTTP\/1.1 304 /);
    const shared = /^(?:etag|cache-control|vary|content-security-policy):/i;
    expect(named(whole, /^vary:.*accept-encoding/i)).toHaveLength(1);
    expect(named(same, shared)).toEqual(named(whole, shared));
    expect(named(same, /^(?:content-(?!security)|transfer-)/i)).toEqual([]);
  },
);

test("small answers, and clients that accept no encoding, get plain bytes", async () => {
  expect((await raw("/api/v1/users/me", "gzip, br")).headers).not.toMatch(/content-encoding/i);
  const plain = await raw("/api/v1/openapi.json", "identity, gzip;q=0");
  expect(plain.headers).not.toMatch(/content-encoding/i);
});

test.each([
  ["br", (bytes: Buffer) => brotliDecompressSync(bytes)],
  ["gzip", (bytes: Buffer) => gunzipSync(bytes)],
])("an export is compressed with %s as it is generated", async (encoding, decompress) => {
  const publicId = await makeExported();
  const response = await raw(`/api/v1/workspaces/${publicId}/export`, encoding);
  expect(response.headers).toMatch(new RegExp(`content-encoding: ${encoding}`, "i"));
  expect(JSON.parse(decompress(bytesOf(response)).toString())).toMatchObject({ complete: true });
  const archive = await raw(`/api/v1/workspaces/${publicId}/export?files=true`, encoding);
  expect(archive.headers).not.toMatch(/content-encoding/i);
});

async function makeExported(): Promise<string> {
  const created = await fetch(`${service()}/api/v1/workspaces`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Exported" }),
  });
  const { publicId } = (await created.json()) as { publicId: string };
  return publicId;
}

/** All that the service answers on a connection, until it closes it. */
async function allOf(text: string): Promise<string[]> {
  const socket = connect({ port: Number(new URL(service()).port), host: "127.0.0.1" });
  socket.write(text);
  let received = "";
  for await (const chunk of socket) received += String(chunk);
  return [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status ?? "");
}

test("bytes that are no HTTP are answered after the calls before them", async () => {
  const body = JSON.stringify({ name: "Due" });
  const lines = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const write = json(lines);
  expect(await allOf(`${write}GARB AGE\r\n\r\n`)).toEqual(["200", "400"]);
  expect(await allOf(`${write}${write}GARB AGE\r\n\r\n`)).toEqual(["200", "200", "400"]);
});

test("a body whose chunks are invalid ends the connection, after the calls before it", async () => {
  const broken = json("Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
  expect(await allOf(broken)).toEqual(["400"]);
  const read = `GET /api/v1/users/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  expect(await allOf(`${read}${broken}`)).toEqual(["200", "400"]);
});

test("a page of an allowed origin can read why an expectation is refused", async () => {
  const request = "GET / HTTP/1.1\r\nHost: a\r\nOrigin: http://localhost:1\r\nExpect: a\r\n\r\n";
  const { status, headers } = await send(request);
  expect(status).toBe(417);
  expect(headers).toMatch(/access-control-allow-origin: http:\/\/localhost:1/i);
});
