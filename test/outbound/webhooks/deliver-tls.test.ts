import { once } from "node:events";
import { createServer } from "node:https";
import tls from "node:tls";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { attempt } from "../../../src/outbound/webhooks/deliver.ts";
import { makeSecret } from "../../../src/outbound/webhooks/sign.ts";
import { fakeDns } from "../../support/dns.ts";
import { startReceiver } from "../../support/receiver.ts";
import { certificate } from "./certificate.ts";

const notValid = "The target's certificate is not valid.";
let port = 0;
let served = 0;
const asked: (string | false | null)[] = [];
const server = createServer(certificate, (request, response) => {
  served += 1;
  response.end(request.headers.host);
});
server.on("secureConnection", (socket) => asked.push(socket.servername));

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
  asked.length = 0;
});

// Node 20 has no way to trust a further authority in a running process: every connection is given it on the way out.
const trustCertificate = () => {
  const connect: (options: tls.ConnectionOptions) => tls.TLSSocket = tls.connect;
  vi.spyOn(tls, "connect").mockImplementation((options: unknown) =>
    connect(Object.assign({}, options, { ca: certificate.cert })),
  );
};

const send = (host: string, at = port) =>
  attempt(
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

test("a certificate that nobody trusts is refused before anything is sent", async () => {
  expect(await send("hooks.test")).toMatchObject({ ok: false, error: notValid });
  expect(served).toBe(0);
});

test("it is refused as well when the environment says not to look", async () => {
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
])("a trusted certificate for %s is fine, and the name %j is asked for", async (host, name) => {
  trustCertificate();
  expect(await send(host)).toMatchObject({ ok: true, responseText: `${host}:${port}` });
  expect(asked).toEqual([name]);
});

test("a target that speaks no TLS is said to be so", async () => {
  const plain = await startReceiver();
  expect(await send("hooks.test", plain.port)).toMatchObject({
    ok: false,
    error: "No secure connection to the target could be made.",
  });
  await plain.close();
});
