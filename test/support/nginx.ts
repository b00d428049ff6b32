import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { freePort } from "./listen.ts";
import { temporaryDirectory } from "./temporary.ts";
import { waitUntil } from "./wait.ts";

// Debian installs it where the path of a user may not lead.
const usual = "/usr/sbin/nginx";
const program = existsSync(usual) ? usual : "nginx";

/** Whether nginx is installed: `apt-get install nginx-light`. */
export const hasNginx = ((): boolean => {
  try {
    execFileSync(program, ["-v"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** The lines of the page on high availability, with a port and instances of the test. */
async function documented(port: number, instances: readonly string[]): Promise<string> {
  const page = await readFile("docs/high-availability.md", "utf8");
  const block = /```nginx\n([^]*?)```/.exec(page)?.[1] ?? "";
  let nth = 0;
  return block
    .replaceAll(/server 10\.0\.0\.\d+:3000/g, () => `server ${instances[nth++]}`)
    .replace("listen 443 ssl", `listen 127.0.0.1:${port}`);
}

/** Starts nginx as the page on high availability says, before instances (`host:port`). */
export async function startNginx(instances: readonly string[]): Promise<string> {
  const home = await temporaryDirectory();
  const port = await freePort();
  await mkdir(join(home, "tmp"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(home, "tmp", name)};`,
  );
  const settings = join(home, "nginx.conf");
  await writeFile(
    settings,
    `daemon off; pid ${join(home, "pid")}; error_log ${join(home, "error.log")};
events {}
http { access_log off; ${temporary.join(" ")}
${await documented(port, instances)} }`,
  );
  const child = spawn(program, ["-p", home, "-c", settings], { stdio: "ignore" });
  const exit = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await exit;
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntil(async () => (await fetch(`${url}/livez`).catch(() => undefined))?.status === 200);
  return url;
}
