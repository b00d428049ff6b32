import { once } from "node:events";
import { createServer } from "node:https";
import tls from "node:tls";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { sendRequest } from "../../../src/outbound/webhooks/message/request.ts";
import { makeSecret } from "../../../src/outbound/webhooks/message/sign.ts";
import { fakeDns } from "../../support/dns.ts";
import { startReceiver } from "../../support/receiver.ts";
import { certificate } from "./certificate.ts";

const notValid = "The receiver's TLS certificate is not valid.";
let port = 0;
let served = 0;
const requestedNames: (string | false | null)[] = [];
const server = createServer(certificate, (request, response) => {
  served += 1;
  response.end(request.headers.host);
});
server.on("secureConnection", (socket) => requestedNames.push(socket.servername));

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => void server.close());
afterEach(() => {
  vi.restoreAllMocks();
  delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
  served = 0;
  requestedNames.length = 0;
});

// Node 20 cannot trust another authority in a running process, so each connection gets it.
const trustCertificate = () => {
  const connect: (options: tls.ConnectionOptions) => tls.TLSSocket = tls.connect;
  vi.spyOn(tls, "connect").mockImplementation((options: unknown) =>
    connect(Object.assign({}, options, { ca: certificate.cert })),
  );
};

const send = (host: string, at = port) =>
  sendRequest(
    { url: `https://${host}:${at}/`, secrets: [makeSecret()], id: "msg_1", body: "{}" },
    {
      resolve: fakeDns({
        "hooks.test": ["127.0.0.1"],
        "hooks.test.": ["127.0.0.1"],
        "other.test": ["127.0.0.1"],
      }).resolve,
      policy: { allowHttp: false, allowedSubnets: ["127.0.0.0/8"] },
      now: () => new Date(),
      version: "1.2.3",
    },
  );

test("an untrusted certificate is refused before anything is sent", async () => {
  expect(await send("hooks.test")).toMatchObject({ ok: false, error: notValid });
  expect(served).toBe(0);
});

test("an untrusted certificate is refused also with NODE_TLS_REJECT_UNAUTHORIZED=0", async () => {
  process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
  expect(await send("hooks.test")).toMatchObject({ ok: false, error: notValid });
  expect(served).toBe(0);
});

test("a trusted certificate for another name is refused", async () => {
  trustCertificate();
  expect(await send("other.test")).toMatchObject({ ok: false, error: notValid });
  expect(served).toBe(0);
});

test.each([
  ["hooks.test", "hooks.test"],
  ["hooks.test.", "hooks.test"],
  ["127.0.0.1", false],
])(
  "a trusted certificate for %s is accepted, and the server name %j is requested",
  async (host, name) => {
    trustCertificate();
    expect(await send(host)).toMatchObject({ ok: true, responseText: `${host}:${port}` });
    expect(requestedNames).toEqual([name]);
  },
);

test("a receiver without TLS is reported", async () => {
  const plain = await startReceiver();
  expect(await send("hooks.test", plain.port)).toMatchObject({
    ok: false,
    error: "The TLS handshake with the receiver failed.",
  });
  await plain.close();
});
