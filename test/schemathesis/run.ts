import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { z } from "zod";
import { withService } from "../fuzz/service.ts";
import { MissingTool, pythonWith } from "../generators/tools.ts";
import { faultsOf, Findings, linksOf, Report } from "./verdict.ts";

// npm run test:schemathesis [-- --requests 30000 --seed 1 --phases stateful
// --operation card.update]: calls the service with requests that the document allows and with
// others, and compares the answers.

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    requests: { type: "string", default: "30000" },
    seed: { type: "string", default: "1" },
    phases: { type: "string", default: "examples,coverage,fuzzing,stateful" },
    operation: { type: "string", multiple: true, default: [] },
  },
});
const say = (text: string) => void process.stdout.write(`${text}\n`);

const password = randomBytes(12).toString("hex");
const adminKey = randomBytes(16).toString("hex");

async function main() {
  const bin = await pythonWith("schemathesis==4.32.5");
  const trello = createServer((_, response) => response.end("[]")).listen(0, "127.0.0.1");
  await once(trello, "listening");
  const { port } = z.object({ port: z.int() }).parse(trello.address());
  const env = { ADMIN_KEY: adminKey, TRELLO_API_URL: `http://127.0.0.1:${port}` };
  await withService((server) => test(join(bin, "schemathesis"), `${server.origin}/api/v1`), env);
  trello.close();
}

/** Registers the user who makes the requests. */
async function register(url: string): Promise<string> {
  const email = "ada@schemathesis.example.com";
  const response = await fetch(`${url}/auth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Ada", email, password }),
  });
  if (!response.ok) throw new Error(await response.text());
  return email;
}

async function test(program: string, url: string) {
  const cwd = await mkdtemp(join(tmpdir(), "schemathesis-"));
  try {
    const document = await (await fetch(`${url}/openapi.json`)).text();
    await writeFile(join(cwd, "openapi.json"), document);
    const email = await register(url);
    const secrets = { ADMIN_KEY: adminKey, EMAIL: email, PASSWORD: password };
    const hooks = join(import.meta.dirname, "hooks.py");
    const env = { ...process.env, ...secrets, HOOKS: hooks };
    const options = { cwd, env, maxBuffer: 256 * 1024 * 1024 };
    const result = await promisify(execFile)(program, commandLine(url, document), options).catch(
      (error: unknown) => z.object({ stdout: z.string(), stderr: z.string() }).parse(error),
    );
    const output = result.stdout + result.stderr;
    await report(cwd, output).catch((cause: unknown) => {
      throw new Error(output, { cause });
    });
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

/** The arguments of Schemathesis: all checks in all phases. */
function commandLine(url: string, document: string): string[] {
  const { paths } = z
    .object({ paths: z.record(z.string(), z.looseObject({})) })
    .parse(JSON.parse(document));
  const all = Object.values(paths).flatMap((methods) => Object.keys(methods)).length;
  const tested = values.operation.length || all;
  const config = join(import.meta.dirname, "schemathesis.toml");
  // An operation gets at least 2 requests for each example.
  const examples = String(Math.ceil(Number(values.requests) / tested / 2));
  const options = [
    `--checks all --phases ${values.phases} --no-color`,
    `--max-examples ${examples} --seed ${values.seed}`,
    "--baseline findings.json --baseline-update",
    "--report json --report-json-path report.json",
  ].flatMap((line) => line.split(" "));
  const operations = values.operation.flatMap((name) => ["--include-operation-id", name]);
  return ["--config-file", config, "run", "openapi.json", "--url", url, ...options, ...operations];
}

async function report(cwd: string, output: string) {
  const read = (file: string) => readFile(join(cwd, file), "utf8").then(JSON.parse);
  const run = Report.parse(await read("report.json"));
  const findings = Findings.parse(await read("findings.json").catch(() => ({ entries: [] })));
  const links = linksOf(output);
  const hasLinks = values.operation.length === 0 && values.phases.includes("stateful");
  const faults = faultsOf(run, findings, hasLinks ? links : undefined);
  if (faults.length > 0) say(output);
  const { test_cases: cases, operations } = run;
  say(`${cases.generated} requests, ${operations.tested} operations, seed ${values.seed}`);
  say(`${links.walked} of ${links.all} links walked`);
  for (const fault of faults) say(fault);
  say(`${findings.entries.length} findings`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

await main().catch((error: unknown) => {
  if (!(error instanceof MissingTool)) throw error;
  say(`skipped: ${error.message}`);
});
