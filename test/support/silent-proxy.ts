import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A network to a database: it can fall silent, as after a failover that resets no connection. */
export type SilentProxy = {
  url: string;
  /** Accepts connections and bytes from now on, and passes nothing on. */
  silence(): void;
  /** Passes on what comes over new connections. The earlier ones stay silent for ever. */
  restore(): void;
};

/** Starts a proxy to the server of an address with a socket. */
export async function startSilentProxy(url: string): Promise<SilentProxy> {
  const address = new URL(url);
  const socket = join(address.searchParams.get("host") ?? "", ".s.PGSQL.5432");
  let isSilent = false;
  const open = new Set<Socket>();
  const passing = new Set<() => void>();
  const server = createServer((client) => {
    open.add(client.on("error", () => undefined));
    if (isSilent) return void client.resume();
    const upstream = connect(socket).on("error", () => client.destroy());
    open.add(upstream);
    client.pipe(upstream);
    upstream.pipe(client);
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    client.once("close", end);
    upstream.once("close", end);
    passing.add(() => {
      client.unpipe(upstream).resume();
      upstream.unpipe(client).resume();
      client.off("close", end);
      upstream.off("close", end);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    for (const one of open) one.destroy();
    server.close();
  });
  const listening = server.address();
  const port = typeof listening === "object" ? String(listening?.port) : "";
  const { username, password, pathname } = address;
  return {
    url: `postgresql://${username}:${password}@127.0.0.1:${port}${pathname}`,
    silence() {
      isSilent = true;
      for (const stop of passing) stop();
      passing.clear();
    },
    restore() {
      isSilent = false;
    },
  };
}
