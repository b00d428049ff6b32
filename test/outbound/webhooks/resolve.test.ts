import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { checkTarget, resolveBy } from "../../../src/platform/http/address-guard.ts";

/** A name server on loopback, and a resolver that asks nobody else. */
async function nameServer(answer: (query: Buffer) => Buffer | undefined) {
  const socket = createSocket("udp4");
  onTestFinished(() => void socket.close());
  const asked: string[] = [];
  socket.on("message", (query, { port }) => {
    asked.push(nameIn(query));
    const answered = answer(query);
    if (answered !== undefined) socket.send(answered, port, "127.0.0.1");
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const servers = new Resolver({ timeout: 50, tries: 1 });
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

/** An answer with one record for a question of type A, none for AAAA; or with a failure's code. */
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

test("the addresses of a name are what the name servers say", async () => {
  const { resolve, asked } = await nameServer((query) => reply(query, [93, 184, 215, 14]));
  expect(await resolve("hooks.example.test")).toEqual(["93.184.215.14"]);
  expect(asked).toEqual(["hooks.example.test", "hooks.example.test"]);
});

test("what they say is decided on like every address", async () => {
  const { resolve } = await nameServer((query) => reply(query, [127, 0, 0, 1]));
  const policy = { allowHttp: true, allowedSubnets: [] };
  expect(await checkTarget("http://hooks.example.test/", policy, resolve)).toHaveProperty(
    "refusal",
    expect.stringContaining("not public"),
  );
});

test("a name that they do not know is looked for on this machine, as one without a dot is at once", async () => {
  const { resolve, asked } = await nameServer((query) => reply(query, [], 3));
  await expect(resolve("hooks.example.test")).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
  expect(asked).toHaveLength(2);
  expect(await resolve("localhost")).toContain("127.0.0.1");
  expect(asked).toHaveLength(2);
});

test("name servers that are silent are not asked once more in a thread of the system's", async () => {
  const { resolve } = await nameServer(() => undefined);
  expect(await resolve("hooks.example.test")).toEqual([]);
});
