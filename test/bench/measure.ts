import { isDeepStrictEqual } from "node:util";
import { type Calls, load } from "./load.ts";
import type { Server } from "./servers.ts";

/**
 * The measurements of one server in all rounds of a case: times in ms, CPU in µs per request, its
 * own and the database's.
 */
export type Figures = {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
  cpu: number;
  databaseCpu: number;
};

/** The calls of one round. */
export type Round = () => Calls | Promise<Calls>;
/** A server that is measured, whose calls are made with a token. */
export type Side = {
  name: string;
  server: Pick<Server, "origins" | "cpu">;
  token: string;
  round: Round;
  /** The CPU time of its PostgreSQL, if that is its own. */
  databaseCpu?: () => Promise<number>;
};
type Times = { seconds: number; rounds: number; warmUp: number; count?: number };
/** What is measured of a side: the seconds of its rounds, CPU times in µs, latencies in ms. */
type Taken = { seconds: number; cpu: number; databaseCpu: number; latencies: number[] };

/** Measures sides in turn, in several rounds; each is warmed up, and each is first in turn. */
export async function measure(
  sides: Side[],
  databaseCpu: () => Promise<number>,
  { seconds, rounds, warmUp, ...connections }: Times,
): Promise<Map<string, Figures>> {
  const taken = new Map<string, Taken>(
    sides.map(({ name }) => [name, { seconds: 0, cpu: 0, databaseCpu: 0, latencies: [] }]),
  );
  for (let turn = -1; turn < rounds; turn++) {
    const warming = turn < 0;
    for (const { name, server, token, round, databaseCpu: ownCpu } of turn % 2 === 0
      ? sides
      : sides.toReversed()) {
      const calls = await round();
      const before = await server.cpu();
      const cpuOfDatabase = ownCpu ?? databaseCpu;
      const databaseBefore = await cpuOfDatabase();
      const times = { ...connections, seconds: warming ? warmUp : seconds };
      const sample = await load(server.origins, token, calls, times);
      const cpu = (await server.cpu()) - before;
      const ofDatabase = (await cpuOfDatabase()) - databaseBefore;
      const sum = taken.get(name);
      if (warming || sum === undefined) continue;
      sum.seconds += sample.seconds;
      sum.cpu += cpu;
      sum.databaseCpu += ofDatabase;
      for (const latency of sample.latencies) sum.latencies.push(latency);
    }
  }
  return new Map([...taken].map(([name, sum]) => [name, figuresOf(sum)]));
}

function figuresOf(sum: Taken): Figures {
  const sorted = Float64Array.from(sum.latencies).sort();
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  const requests = sorted.length;
  return {
    requests,
    perSecond: requests / sum.seconds,
    p50: at(0.5),
    p99: at(0.99),
    cpu: sum.cpu / requests,
    databaseCpu: sum.databaseCpu / requests,
  };
}

// The order of keys is no part of an answer.
function parsed(response: string): unknown {
  try {
    return JSON.parse(response);
  } catch {
    return response;
  }
}

/** Throws unless both servers answer the same: but for cursors, and what mutations make anew. */
export async function compare(
  servers: { service: Server; floor: Server },
  token: string,
  round: Round,
): Promise<void> {
  const [service, floor] = [
    await firstResponse(servers.service, token, await round()),
    await firstResponse(servers.floor, token, await round()),
  ];
  if (isDeepStrictEqual(parsed(service), parsed(floor))) return;
  throw new Error(`The floor and the service answer differently:\n${service}\n${floor}`);
}

async function firstResponse({ origin }: Server, token: string, calls: Calls): Promise<string> {
  const { method, path, body } = calls(0);
  const response = await fetch(origin + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return method === "GET"
    ? text.replace(/^\{"cursor":"[^"]+",/, "{").replace(/,"cursor":"[^"]+"/, "")
    : text
        .replace(/"[0-9a-z]{12}"/g, '"id"')
        .replace(/"[A-Z]+-\d+"/g, '"number"')
        .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"time"');
}
