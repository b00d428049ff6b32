import type { Writable } from "node:stream";

/**
 * Makes a socket send what is written in one turn of the event loop in one system call.
 *
 * A system call costs as much as a small statement, and a transaction sends several together.
 */
export function coalesceWrites(socket: Writable): void {
  const write = socket.write.bind(socket);
  let isCorked = false;
  Reflect.set(socket, "write", (...values: Parameters<typeof write>) => {
    if (!isCorked) {
      isCorked = true;
      socket.cork();
      process.nextTick(() => {
        isCorked = false;
        socket.uncork();
      });
    }
    return write(...values);
  });
}
