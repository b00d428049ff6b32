import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withService } from "../fuzz/service.ts";
import { withAdapter } from "./adapter.ts";
import { clients } from "./clients.ts";
import { session } from "./session.ts";
import { MissingTool } from "./tools.ts";

// npm run test:generators [-- name …]: generates clients and runs the same session with each.

const selected = process.argv.slice(3);
const say = (text: string) => void process.stdout.write(`${text}\n`);

await withService(async (server) => {
  const url = `${server.origin}/api/v1`;
  const document = await (await fetch(`${url}/openapi.json`)).text();
  for (const [name, prepare] of Object.entries(clients)) {
    if (selected.length > 0 && !selected.some((part) => name.includes(part))) continue;
    const cwd = await mkdtemp(join(tmpdir(), "board-client-"));
    const start = performance.now();
    const seconds = () => `${((performance.now() - start) / 1_000).toFixed(0)} s`;
    try {
      await writeFile(join(cwd, "openapi.json"), document);
      const command = await prepare(cwd);
      if (command !== undefined) await withAdapter(cwd, [...command, url], session);
      say(`${name}: ${command === undefined ? "loaded" : "the session passed"}, ${seconds()}`);
    } catch (error) {
      const isMissing = error instanceof MissingTool;
      if (!isMissing) process.exitCode = 1;
      say(`${name}: ${isMissing ? `skipped: ${error.message}` : `failed: ${String(error)}`}`);
      const copy = process.env["GENERATED"];
      if (!isMissing && copy !== undefined) await cp(cwd, join(copy, name), { recursive: true });
    } finally {
      await rm(cwd, { recursive: true, force: true });
    }
  }
  say("skipped: kiota (see CONTRIBUTING.md)");
});
