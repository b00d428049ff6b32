import { createServer } from "node:net";
import type { Config } from "../platform/config.ts";

type Addresses = Pick<Config, "HOST" | "PORT" | "METRICS_PORT">;

/** Throws when a port of the service is in use, before anything is started. */
export async function checkPorts({ HOST, PORT, METRICS_PORT }: Addresses): Promise<void> {
  await checkPort("PORT", HOST, PORT);
  if (METRICS_PORT !== undefined) await checkPort("METRICS_PORT", HOST, METRICS_PORT);
}

async function checkPort(setting: string, host: string, port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(listenError(error, host, port, setting)));
    server.listen(port, host, resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}

/** Explains why a server cannot listen; for a port in use it suggests another one. */
export function listenError(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  setting = "PORT",
): Error {
  const otherPort = port < 65_535 ? port + 1 : 3_000;
  const start = `${setting}=${otherPort} npm start`;
  if (error.code === "EADDRINUSE") {
    const message = `${host}:${port} is in use. Stop the other process, or write: ${start}`;
    return new Error(message, { cause: error });
  }
  if (error.code === "EACCES") {
    const message = `This user may not listen on ${host}:${port}. Write for example: ${start}`;
    return new Error(message, { cause: error });
  }
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
    const message = `HOST=${host} is no address of this machine. Use 127.0.0.1 or 0.0.0.0.`;
    return new Error(message, { cause: error });
  }
  return error;
}
