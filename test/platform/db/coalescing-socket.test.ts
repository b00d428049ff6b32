import { once } from "node:events";
import { createServer } from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { CoalescingSocket } from "../../../src/platform/db/coalescing-socket.ts";
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

test("what is written in one turn is one system call, in its order", async () => {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port.");
  const received = once(server, "connection").then(([socket]) => text(socket));
  const socket = new CoalescingSocket();
  socket.connect(address.port, "127.0.0.1");
  await once(socket, "connect");
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
