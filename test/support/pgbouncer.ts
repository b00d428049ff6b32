import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { startSilentProxy } from "./silent-proxy.ts";
import { temporaryDirectory } from "./temporary.ts";

// Debian installs it where the path of a user may not lead.
const usual = "/usr/sbin/pgbouncer";
const program = existsSync(usual) ? usual : "pgbouncer";

/** Whether PgBouncer is installed: `apt-get install pgbouncer`. */
export const hasPgBouncer = ((): boolean => {
  try {
    return execFileSync(program, ["--version"], { encoding: "utf8" }) !== "";
  } catch {
    return false;
  }
})();

type PoolMode = "session" | "transaction" | "statement";

/** Starts PgBouncer in front of the server of an address with a socket; returns its address. */
export async function startPgBouncer(url: string, mode: PoolMode): Promise<string> {
  const { url: server } = await startSilentProxy(url);
  const { username, password, pathname, port: serverPort } = new URL(server);
  const home = await temporaryDirectory();
  const port = await freePort();
  const [settings, users] = [join(home, "pgbouncer.ini"), join(home, "users.txt")];
  await writeFile(users, `"${username}" "${password}"\n`);
  await writeFile(
    settings,
    `[databases]
* = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 50
`,
  );
  // It refuses root.
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
  if (account !== undefined) {
    for (const path of [home, settings, users]) await chown(path, account.uid, account.gid);
  }
  const child = spawn(program, [settings], { ...account, cwd: home, stdio: "ignore" });
  const exit = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exit;
  });
  await expect.poll(() => accepts(port)).toBe(true);
  return `postgresql://${username}:${password}@127.0.0.1:${port}${pathname}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", end(true)).once("error", end(false));
  });
