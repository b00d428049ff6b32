import { once } from "node:events";
import { connect } from "node:net";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { createMetrics } from "../../src/api/operator/metrics.ts";
import { metricsApp } from "../../src/api/operator/metrics-routes.ts";
import { protectiveHeaders } from "../../src/api/rest/protective-headers.ts";
import { closeServer, listen, portOf } from "../../src/app/http-server.ts";
import { readConfig } from "../../src/platform/config.ts";
import { useApp } from "../support/app.ts";

const paths = [
  "/api/v1/health",
  "/api/v1/users/me",
  "/nowhere",
  "/docs",
  "/livez",
  "/trpc/user.me",
];
const headersOf = async (app: ReturnType<ReturnType<typeof useApp>>, path: string) =>
  (await app.fetch(new Request(`http://service${path}`))).headers;

describe("a service over http", () => {
  const app = useApp();
  test.each(paths)("sends nosniff and no HSTS at %s", async (path) => {
    const headers = await headersOf(app(), path);
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("Strict-Transport-Security")).toBe(null);
  });
});

const refused = {
  "no HTTP": "nonsense\r\n\r\n",
  "large headers": `GET / HTTP/1.1\r\nHost: a\r\nX-Large: ${"x".repeat(20_000)}\r\n\r\n`,
  "the target *": "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
  "a call for a proxy": "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n",
  "an error of the application": "GET /error HTTP/1.1\r\nHost: a\r\n\r\n",
};

describe("a server over https", () => {
  const baseUrl = "https://boards.example.com";
  const log = pino({ level: "silent" });
  const app = useApp();

  /** The head of the response to bytes on a connection of a server. */
  async function headOf(fetch: Parameters<typeof listen>[0], bytes: string): Promise<string> {
    const address = { HOST: "127.0.0.1", PORT: 0, MIN_READ_RATE: 0, baseUrl };
    const server = await listen(fetch, address, log);
    onTestFinished(() => closeServer(server, AbortSignal.abort()));
    const socket = connect({ port: portOf(server), host: "127.0.0.1" });
    socket.write(bytes);
    const [received] = await once(socket, "data");
    socket.destroy();
    return String(received).split("\r\n\r\n")[0]?.toLowerCase() ?? "";
  }

  const expectProtected = (head: string) => {
    for (const [name, value] of Object.entries(protectiveHeaders(baseUrl))) {
      expect(head).toContain(`${name}: ${value}`.toLowerCase());
    }
  };

  test.each(Object.entries(refused))(
    "sends all headers with the refusal of %s",
    async (_, bytes) => {
      expectProtected(await headOf(() => Promise.reject(new Error("A defect.")), bytes));
    },
  );

  test.each(["/metrics", "/nowhere"])(
    "sends all headers at %s of the port of metrics",
    async (path) => {
      const own = metricsApp(createMetrics(app().deps), { log, baseUrl });
      expectProtected(await headOf(own.fetch, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`));
    },
  );
});

describe("a service over https", () => {
  const app = useApp({ env: { BASE_URL: "https://boards.example.com" } });
  test.each(paths)("sends HSTS at %s", async (path) => {
    const headers = await headersOf(app(), path);
    expect(headers.get("Strict-Transport-Security")).toBe("max-age=31536000");
  });
});

test("without NODE_ENV a service on a public address is in production", () => {
  expect(readConfig({ HOST: "0.0.0.0" }).NODE_ENV).toBe("production");
  expect(readConfig({ HOST: "0.0.0.0", NODE_ENV: "development" }).NODE_ENV).toBe("development");
  expect(readConfig({ HOST: "127.0.0.1" }).NODE_ENV).toBe("development");
});
