import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { TurnSocket } from "../../../src/platform/db/turn-socket.ts";

test("what is written in one turn is sent at its end, in its order", async () => {
  const server = createServer().listen(0);
  const received = once(server, "connection").then(([client]) => text(client));
  const socket = new TurnSocket();
  socket.connect((server.address() as AddressInfo).port);
  await once(socket, "connect");
  for (const [nth, statement] of ["BEGIN;", "INSERT;", "COMMIT;"].entries()) {
    socket.cork();
    socket.write(statement);
    socket.uncork();
    await Promise.resolve();
    expect(socket.writableLength).toBe("BEGIN;INSERT;COMMIT;".slice(0, 6 + 7 * nth).length);
  }
  await new Promise(setImmediate);
  expect(socket.writableLength).toBe(0);
  socket.end();
  expect(await received).toBe("BEGIN;INSERT;COMMIT;");
  server.close();
});
