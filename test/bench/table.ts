import { cpus, loadavg } from "node:os";
import { connections } from "./load.ts";
import type { Figures } from "./measure.ts";

/** A case with what both sides did. */
export type Result = { name: string; service: Figures; floor: Figures };

const number = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(2);
const cells = (values: number[], [service, floor]: [number, number]) => [
  ...values.map(number),
  (service / floor).toFixed(2),
];
const heads = "case|req/s|floor|ratio|p50 ms|floor|p99 ms|floor|CPU µs|floor|ratio".split("|");

/** The results as text: every figure of the service beside the floor's; a ratio of 1 would be as good as the floor. */
export function report(results: Result[]): string {
  const rows = results.map(({ name, service, floor }) => [
    name,
    ...cells([service.perSecond, floor.perSecond], [service.perSecond, floor.perSecond]),
    ...[service.p50, floor.p50, service.p99, floor.p99].map(number),
    ...cells([service.cpu, floor.cpu], [floor.cpu, service.cpu]),
  ]);
  const table = [heads, ...rows];
  const widths = heads.map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: string[]) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ");
  const load = loadavg().map((value) => value.toFixed(1));
  const machine = `Node ${process.version} on ${cpus().length} × ${cpus()[0]?.model ?? "?"}, load ${load.join(" ")}; ${connections} connections`;
  const about = "CPU is the server's own, per request, without the database's.";
  return `${[machine, about, "", ...table.map(line)].join("\n")}\n`;
}
