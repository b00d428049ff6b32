import { connect, type Socket } from "node:net";

/** Streams that are open at the same time, read with little CPU: the machine is shared. */
export type Sockets = {
  /** When the next event comes to each of them. */
  next(): Promise<number[]>;
  close(): void;
};

const begun = "event: ready";
const event = "event: ";

/** Opens a stream for each token; resolves when all have begun. */
export async function openSockets(
  origin: string,
  path: string,
  tokens: string[],
): Promise<Sockets> {
  const { hostname, port } = new URL(origin);
  let waiting: { times: number[]; resolve: (times: number[]) => void } | undefined;
  const sockets: Socket[] = [];
  const open = (token: string) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
        );
      });
      let isReady = false;
      socket.on("error", reject);
      socket.on("data", (chunk) => {
        const text = chunk.toString("latin1");
        if (!isReady) {
          if (text.includes(begun)) isReady = true;
          else if (!text.startsWith("HTTP/1.1 200")) reject(new Error(text));
          if (isReady) resolve();
          return;
        }
        if (!text.includes(event) || waiting === undefined) return;
        waiting.times.push(performance.now());
        if (waiting.times.length === tokens.length) waiting.resolve(waiting.times);
      });
      sockets.push(socket);
    });
  // A few at a time.
  const left = tokens.values();
  const line = async () => {
    for (const token of left) await open(token);
  };
  await Promise.all(Array.from({ length: 20 }, line));
  return {
    next: () =>
      new Promise((resolve) => {
        waiting = { times: [], resolve };
      }),
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
