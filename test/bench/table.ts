import { cpus, loadavg } from "node:os";
import { connections } from "./load.ts";
import type { Figures } from "./measure.ts";

/** A case with what one side of it did. */
export type Result = { name: string; side: string; figures: Figures };

const number = (value: number) =>
  Number.isNaN(value)
    ? "–"
    : value >= 100
      ? Math.round(value).toLocaleString("en")
      : value.toPrecision(2);
const heads = "case|side|req/s|ratio|p50 ms|p99 ms|CPU µs|ratio|DB µs|ratio".split("|");

/** The memory of the service before and after the cases, in bytes. */
type Memory = { idle: number; after: number };

/** The results of the service as a table of Markdown, with its ratio to the floor and to each peer. */
export function markdown(results: Result[]): string {
  const others = [...new Set(["floor", ...results.map(({ side }) => side)])].filter(
    (side) => side !== "service",
  );
  const rows = results.flatMap(({ name, side, figures: { perSecond, p99 } }) => {
    if (side !== "service") return [];
    const ratios = others.map((other) => {
      const found = results.find((one) => one.name === name && one.side === other)?.figures;
      return number(perSecond / (found?.perSecond ?? Number.NaN));
    });
    return [[`\`${name}\``, number(perSecond), number(p99), ...ratios]];
  });
  const head = ["Case", "Calls/s", "p99, ms", ...others.map((side) => `Calls/s ÷ ${side}`)];
  const lines = [head, head.map(() => "---"), ...rows];
  return `${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

/** What each side did in one case, in one line. */
export function progress(results: Result[]): string {
  const sides = results.map(({ side, figures }) => `${side} ${number(figures.perSecond)}/s`);
  return `${results[0]?.name ?? ""}: ${sides.join(", ")}\n`;
}

/** The results as text, one line per side. A ratio is the service divided by the other side. */
export function report(results: Result[], { idle, after }: Memory): string {
  const rows = results.map(({ name, side, figures }) => {
    const service = results.find((one) => one.name === name && one.side === "service")?.figures;
    const { perSecond, p50, p99, cpu, databaseCpu } = figures;
    const ratio = (of: number, to = Number.NaN) => (side === "service" ? "" : number(of / to));
    return [
      side === "service" ? name : "",
      side,
      number(perSecond),
      ratio(service?.perSecond ?? Number.NaN, perSecond),
      ...[p50, p99, cpu].map(number),
      ratio(service?.cpu ?? Number.NaN, cpu),
      number(databaseCpu),
      ratio(service?.databaseCpu ?? Number.NaN, databaseCpu),
    ];
  });
  const table = [heads, ...rows];
  const widths = heads.map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: string[]) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column < 2 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ");
  const load = loadavg().map((value) => value.toFixed(1));
  const machine = `Node ${process.version} on ${cpus().length} × ${cpus()[0]?.model ?? "?"}, load ${load.join(" ")}; ${connections} connections`;
  const about = "CPU is the server's own, per request; DB is the CPU of PostgreSQL.";
  const [before, now] = [idle, after].map((bytes) => Math.round(bytes / 2 ** 20));
  const memory = `Memory of the service: ${before} MiB at the start, ${now} MiB after the cases.`;
  return `${[machine, about, memory, "", ...table.map(line)].join("\n")}\n`;
}
