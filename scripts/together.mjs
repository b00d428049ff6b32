// node scripts/together.mjs lint types: runs npm scripts at the same time; fails when one fails.
import { spawn } from "node:child_process";

function run(name) {
  const child = spawn("npm", ["run", "--silent", name], { shell: process.platform === "win32" });
  const output = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => output.push(chunk));
  return new Promise((resolve) => {
    child.on("close", (code) => {
      process.stdout.write(`${name}: ${code === 0 ? "passed" : "failed"}\n`);
      if (code !== 0) process.stdout.write(Buffer.concat(output));
      resolve(code);
    });
  });
}

const codes = await Promise.all(process.argv.slice(2).map(run));
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
