import { type Calls, load } from "./load.ts";
import type { Server } from "./servers.ts";

/** The measurements of one server in all rounds of a case: times in ms, CPU in µs per request. */
export type Figures = {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
  cpu: number;
};

type Round = () => Calls | Promise<Calls>;
type Times = { seconds: number; rounds: number };

/** Measures servers in turn, in several rounds; each is warmed up, and each is first in turn. */
export async function measure<Side extends string>(
  servers: Record<Side, Server>,
  token: string,
  round: Round,
  { seconds, rounds }: Times,
): Promise<Record<Side, Figures>> {
  const sides = Object.keys(servers) as Side[];
  const taken = new Map(
    sides.map((side) => [side, { seconds: 0, cpu: 0, latencies: [] as number[] }]),
  );
  for (let turn = -1; turn < rounds; turn++) {
    const warming = turn < 0;
    for (const side of turn % 2 === 0 ? sides : sides.toReversed()) {
      const server = servers[side];
      const calls = await round();
      const before = await server.cpu();
      const sample = await load(server.origin, token, calls, warming ? seconds / 2 : seconds);
      const cpu = (await server.cpu()) - before;
      const sum = taken.get(side);
      if (warming || sum === undefined) continue;
      sum.seconds += sample.seconds;
      sum.cpu += cpu;
      for (const latency of sample.latencies) sum.latencies.push(latency);
    }
  }
  const figures = [...taken].map(([side, sum]) => [side, figuresOf(sum)]);
  return Object.fromEntries(figures) as Record<Side, Figures>;
}

function figuresOf(sum: { seconds: number; cpu: number; latencies: number[] }): Figures {
  const sorted = Float64Array.from(sum.latencies).sort();
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  const requests = sorted.length;
  return {
    requests,
    perSecond: requests / sum.seconds,
    p50: at(0.5),
    p99: at(0.99),
    cpu: sum.cpu / requests,
  };
}

/** Throws unless both servers answer the same: but for cursors, and what mutations make anew. */
export async function compare(
  servers: { service: Server; floor: Server },
  token: string,
  round: Round,
): Promise<void> {
  const [service, floor] = [
    await firstAnswer(servers.service, token, await round()),
    await firstAnswer(servers.floor, token, await round()),
  ];
  if (service === floor) return;
  throw new Error(`The floor and the service answer differently:\n${service}\n${floor}`);
}

async function firstAnswer({ origin }: Server, token: string, calls: Calls): Promise<string> {
  const { method, path, body } = calls(0);
  const answer = await fetch(origin + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return method === "GET"
    ? text.replace(/^\{"cursor":"[^"]+",/, "{").replace(/,"cursor":"[^"]+"/, "")
    : text
        .replace(/"[0-9a-z]{12}"/g, '"id"')
        .replace(/"[A-Z]+-\d+"/g, '"number"')
        .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"time"');
}
