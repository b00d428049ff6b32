import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { withService } from "../fuzz/service.ts";

// npm run test:generators: generates clients of other languages and runs the same session with each.

const versions = {
  python: "openapi-python-client==0.29.1",
  ruff: "ruff==0.17.6",
  go: "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2",
};
const here = import.meta.dirname;
const say = (text: string) => void process.stdout.write(`${text}\n`);

/** Runs a program; an error has what it printed. */
async function run(cwd: string, program: string, ...args: string[]): Promise<string> {
  const options = { cwd, maxBuffer: 64 * 1024 * 1024, timeout: 10 * 60_000 };
  const { stdout } = await promisify(execFile)(program, args, options);
  return stdout;
}

async function python(cwd: string, url: string): Promise<string> {
  const tool = (name: string) => join(cwd, "tools/bin", name);
  await run(cwd, "python3", "-m", "venv", "tools");
  await run(cwd, tool("pip"), "install", "--quiet", versions.python, versions.ruff);
  const generate = [
    "generate",
    "--path",
    "openapi.json",
    "--output-path",
    "boards",
    "--meta",
    "none",
  ];
  await run(cwd, tool("openapi-python-client"), ...generate, "--fail-on-warning");
  return run(cwd, tool("python"), join(here, "session.py"), url);
}

async function go(cwd: string, url: string): Promise<string> {
  await mkdir(join(cwd, "board"));
  await writeFile(join(cwd, "go.mod"), "module example.com/session\n\ngo 1.24\n");
  await cp(join(here, "session.go.txt"), join(cwd, "main.go"));
  const options = ["-generate", "types,client", "-package", "board", "-o", "board/board.go"];
  await run(cwd, "go", "run", versions.go, ...options, "openapi.json");
  await run(cwd, "go", "mod", "tidy");
  await run(cwd, "go", "vet", "./...");
  return run(cwd, "go", "run", ".", url);
}

const clients = [
  { tool: "python3", session: python },
  { tool: "go", session: go },
];

await withService(async (server) => {
  const url = `${server.origin}/api/v1`;
  const document = await (await fetch(`${url}/openapi.json?webhooks=false`)).text();
  for (const { tool, session } of clients) {
    const exists = await run(here, "which", tool).then(
      () => true,
      () => false,
    );
    if (!exists) {
      say(`skipped: ${tool} is not installed`);
      continue;
    }
    const cwd = await mkdtemp(join(tmpdir(), "board-client-"));
    try {
      await writeFile(join(cwd, "openapi.json"), document);
      say((await session(cwd, url)).trim());
    } catch (error) {
      process.exitCode = 1;
      say(`${tool} failed: ${String(error)}`);
    } finally {
      await rm(cwd, { recursive: true, force: true });
    }
  }
});
