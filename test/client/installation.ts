import { execFile } from "node:child_process";
import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** A project with the client of a service, as npm installs it, and tRPC's packages beside it. */
export async function installClient(url: string): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), "board-client-"));
  const modules = join(project, "node_modules");
  const client = join(modules, "@workspace-board-service/client");
  await mkdir(client, { recursive: true });
  const served = await fetch(`${url}/docs/client.tgz`);
  const archive = join(project, "client.tgz");
  await writeFile(archive, new Uint8Array(await served.arrayBuffer()));
  await promisify(execFile)("tar", ["-xzf", archive, "-C", client, "--strip-components=1"]);
  await mkdir(join(modules, "@types"));
  for (const name of ["@trpc", "@tanstack", "react", "@types/react"]) {
    await symlink(resolve("node_modules", name), join(modules, name));
  }
  await writeFile(join(project, "package.json"), `{ "type": "module" }`);
  return project;
}
