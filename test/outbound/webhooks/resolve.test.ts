import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { checkDestination, resolveBy } from "../../../src/platform/http/address-guard.ts";

/** Starts a name server on loopback, and a resolver that uses only it. */
async function nameServer(response: (query: Buffer) => Buffer | undefined, timeout = 10_000) {
  const socket = createSocket("udp4");
  onTestFinished(() => void socket.close());
  const asked: string[] = [];
  socket.on("message", (query, { port }) => {
    asked.push(nameIn(query));
    const answered = response(query);
    if (answered !== undefined) socket.send(answered, port, "127.0.0.1");
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const servers = new Resolver({ timeout, tries: 1 });
  servers.setServers([`127.0.0.1:${socket.address().port}`]);
  return { asked, resolve: resolveBy(servers) };
}

const questionEnd = (query: Buffer) => query.indexOf(0, 12) + 5;
const nameIn = (query: Buffer) => {
  const labels: string[] = [];
  for (let at = 12; query[at] !== 0; at += labels.at(-1)?.length ?? 0) {
    const length = query[at++] ?? 0;
    labels.push(query.toString("latin1", at, at + length));
  }
  return labels.join(".");
};

/** A response with one record for type A and no record for AAAA, or with an error code. */
function reply(query: Buffer, address: number[], code = 0) {
  const question = query.subarray(12, questionEnd(query));
  const isA = question.readUInt16BE(question.length - 4) === 1;
  const head = Buffer.from([
    ...query.subarray(0, 2),
    0x81,
    0x80 | code,
    0,
    1,
    0,
    isA && code === 0 ? 1 : 0,
    0,
    0,
    0,
    0,
  ]);
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address]);
  return Buffer.concat([head, question, ...(isA && code === 0 ? [record] : [])]);
}

test("names resolve to the addresses of the name servers", async () => {
  const { resolve, asked } = await nameServer((query) => reply(query, [93, 184, 215, 14]));
  expect(await resolve("hooks.example.test")).toEqual(["93.184.215.14"]);
  expect(asked).toEqual(["hooks.example.test", "hooks.example.test"]);
});

test("addresses of the name servers are checked", async () => {
  const { resolve } = await nameServer((query) => reply(query, [127, 0, 0, 1]));
  const policy = { allowHttp: true, allowedSubnets: [] };
  expect(await checkDestination("http://hooks.example.test/", policy, resolve)).toHaveProperty(
    "refusal",
    expect.stringContaining("not public"),
  );
});

test("unknown names, and names without a dot, are resolved by the system", async () => {
  const { resolve, asked } = await nameServer((query) => reply(query, [], 3));
  await expect(resolve("hooks.example.test")).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
  expect(asked).toHaveLength(2);
  expect(await resolve("localhost")).toContain("127.0.0.1");
  expect(asked).toHaveLength(2);
});

test("the system resolves two names at a time, and one of a domain", async () => {
  const unknown = {
    resolve4: () => Promise.reject(new Error()),
    resolve6: () => Promise.resolve([]),
  };
  const running: string[] = [];
  const ended = new AbortController();
  const end = once(ended.signal, "abort");
  const resolve = resolveBy(unknown, async (hostname) => {
    running.push(hostname);
    await end;
    return ["93.184.215.14"];
  });
  const names = ["a.slow.test", "b.slow.test", "c.slow.test", "one.test", "two.test", "single"];
  const found = Promise.all(names.map((name) => resolve(name)));
  await expect.poll(() => running.length).toBe(2);
  expect(running.filter((name) => name.endsWith("slow.test"))).toHaveLength(1);
  ended.abort();
  expect(await found).toEqual(names.map(() => ["93.184.215.14"]));
});

test("names are not resolved by the system when the name servers time out", async () => {
  const { resolve } = await nameServer(() => undefined, 50);
  expect(await resolve("hooks.example.test")).toEqual([]);
});
