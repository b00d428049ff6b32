import { parseArgs } from "node:util";
import { fuzz, type Findings } from "./fuzz.ts";
import { withService } from "./service.ts";

// npm run test:fuzz -- --calls 100000 --seed 1
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    calls: { type: "string", default: "10000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    connections: { type: "string", default: "8" },
  },
});

const options = {
  calls: Number(values.calls),
  seed: Number(values.seed),
  connections: Number(values.connections),
};
const began = performance.now();
const findings = await withService((server) =>
  fuzz(server, options, (done) => void process.stderr.write(`${done} calls\n`)),
);
print(findings);

function print({
  seed,
  calls,
  statuses,
  failures,
  timeouts,
  undocumented,
  stall,
  memory,
}: Findings) {
  const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
  const seconds = (performance.now() - began) / 1_000;
  const lines = [
    `${calls} calls in ${seconds.toFixed(0)} s, seed ${seed}`,
    `statuses: ${JSON.stringify(statuses)}`,
    `5xx: ${failures.length}`,
    `timeouts: ${timeouts.length}`,
    `undocumented: ${undocumented.length}`,
    `longest iteration of the event loop: ${stall.ms.toFixed(0)} ms of CPU time without collection`,
    `on the clock ${stall.wall.toFixed(0)} ms, garbage collection ${stall.gc.toFixed(0)} ms`,
    `memory: ${mebibytes(memory.early)} after a tenth, ${mebibytes(memory.late)} at the end`,
  ];
  const details = [...failures, ...timeouts, ...undocumented].slice(0, 40);
  const during = stall.ms > 100 ? ["requests in the longest iteration:", ...stall.requests] : [];
  process.stdout.write(`${[...lines, ...details, ...during].join("\n")}\n`);
  const found = failures.length + timeouts.length + undocumented.length;
  process.exitCode = found > 0 || stall.ms > 100 ? 1 : 0;
}
