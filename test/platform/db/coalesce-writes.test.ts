import { once } from "node:events";
import { createConnection, createServer, type Server } from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import tls from "node:tls";
import { afterAll, expect, test } from "vitest";
import { coalesceWrites } from "../../../src/platform/db/coalesce-writes.ts";
import { connect } from "../../../src/platform/db/client.ts";
import { queryRows } from "../../../src/platform/db/prepared-query.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { freshDatabase } from "../../support/database.ts";

const database = await freshDatabase();
const { pool, close } = connect(database.url, { size: 1 });
afterAll(async () => {
  await close();
  await database.drop();
});

/** Counts the system calls with which a socket writes. */
function countWrites(socket: Duplex): () => number {
  let count = 0;
  for (const name of ["_write", "_writev"]) {
    const write = Reflect.get(socket, name);
    Reflect.set(socket, name, (...values: unknown[]) => {
      count++;
      return Reflect.apply(write, socket, values);
    });
  }
  return () => count;
}

/** Listens, and answers the port, and all text of the first connection. */
async function listening(server: Server, connection: string) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port.");
  const received = once(server, connection).then(([socket]) => text(socket));
  return { port: address.port, received };
}

/** Writes in two turns of the event loop, and expects one system call for each. */
async function writeInTurns(socket: Duplex) {
  coalesceWrites(socket);
  const writes = countWrites(socket);
  for (const turn of [1, 2]) {
    for (const part of ["a", "b", "c"]) {
      socket.cork();
      socket.write(`${part}${turn}`);
      socket.write(" ");
      socket.uncork();
    }
    await new Promise(setImmediate);
    expect(writes()).toBe(turn);
  }
  socket.end();
}

test("what is written in one turn is one system call, in its order", async () => {
  const server = createServer();
  const { port, received } = await listening(server, "connection");
  const socket = createConnection(port, "127.0.0.1");
  await once(socket, "connect");
  await writeInTurns(socket);
  expect(await received).toBe("a1 b1 c1 a2 b2 c2 ");
  server.close();
});

test("the same over TLS", async () => {
  const shared = { psk: Buffer.alloc(16, 1), identity: "test" };
  const options = { ciphers: "PSK", maxVersion: "TLSv1.2", minVersion: "TLSv1.2" } as const;
  const server = tls.createServer({ ...options, pskCallback: () => shared.psk });
  const { port, received } = await listening(server, "secureConnection");
  const socket = tls.connect({
    ...options,
    port,
    host: "127.0.0.1",
    pskCallback: () => shared,
    checkServerIdentity: () => undefined,
  });
  await once(socket, "secureConnect");
  await writeInTurns(socket);
  expect(await received).toBe("a1 b1 c1 a2 b2 c2 ");
  server.close();
});

test("statements that are sent together are one system call", async () => {
  const client = await pool.connect();
  // The types of `pg` have no connection.
  const { connection }: { connection?: { stream: Duplex } } = { ...client };
  if (connection === undefined) throw new Error("No connection.");
  const writes = countWrites(connection.stream);
  await Promise.all([
    client.query("BEGIN"),
    queryRows(client, sql`SELECT ${1}::int`),
    queryRows(client, sql`SELECT ${"a"}::text`),
    client.query("COMMIT"),
  ]);
  client.release();
  expect(writes()).toBe(1);
});
