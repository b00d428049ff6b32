// node scripts/together.mjs lint types -- test:fast: runs npm scripts at the same time; fails when
// one fails. Those before `--` use what the others leave of the machine, and print when they fail.
import { spawn } from "node:child_process";
import { setPriority } from "node:os";

const args = process.argv.slice(2);
const end = args.includes("--") ? args.indexOf("--") : args.length;
const isAlone = end === args.length;

// tsgo and oxlint's type information are Go programs that end within seconds: without garbage
// collection they take a third less CPU, and a gigabyte and a half of memory.
const env = { ...process.env, GOGC: "off", GOMEMLIMIT: "2GiB" };

/** Starts a script; the result is its exit code. */
function start(name, stdio) {
  const shell = process.platform === "win32";
  const child = spawn("npm", ["run", "--silent", name], { shell, stdio, env });
  return { child, ended: new Promise((resolve) => child.on("close", resolve)) };
}

/** Runs a script whose output is printed if it fails. */
async function check(name) {
  const { child, ended } = start(name, ["ignore", "pipe", "pipe"]);
  if (!isAlone && child.pid !== undefined) setPriority(child.pid, 10);
  const output = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => output.push(chunk));
  const code = await ended;
  process.stdout.write(`${name}: ${code === 0 ? "passed" : "failed"}\n`);
  if (code !== 0) process.stdout.write(Buffer.concat(output));
  return { name, code };
}

const run = async (name) => ({ name, code: await start(name, "inherit").ended });
const results = await Promise.all([
  ...args.slice(end + 1).map(run),
  ...args.slice(0, end).map(check),
]);
const failed = results.filter(({ code }) => code !== 0);
// The output of the others may be long.
if (failed.length > 0)
  process.stdout.write(`Failed: ${failed.map(({ name }) => name).join(", ")}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
