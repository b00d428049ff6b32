import { isDeepStrictEqual } from "node:util";
import { failureDescriptions } from "../../src/contract/failure-codes.ts";
import { faultOf } from "../support/responses.ts";
import type { Server, Stall } from "../bench/servers.ts";
import { createActors, type Actors } from "./actors.ts";
import { makeCall, type FuzzCall } from "./calls.ts";
import { createIds, type Ids } from "./ids.ts";
import { routeOf, type Operation } from "./operations.ts";
import { createRandom, type Random } from "./random.ts";

/** The findings of a run. */
export type Findings = {
  seed: number;
  calls: number;
  statuses: Record<string, number>;
  failures: string[];
  timeouts: string[];
  undocumented: string[];
  /** The longest iteration of the service's event loop, each measure for itself. */
  stall: Stall;
  /** Memory of the service in bytes: after a tenth of the calls, and at the end. */
  memory: { early: number; late: number };
};

// A read of the feed may wait for 30 s.
const callLimit = 45_000;
const reportEvery = 2_000;
const lookEvery = 50;

/** Sends random calls to a service and validates every response against the document. */
export async function fuzz(
  server: Server,
  { calls, seed, connections = 8 }: { calls: number; seed: number; connections?: number },
  report: (done: number) => void = () => undefined,
): Promise<Findings> {
  const random = createRandom(seed);
  const ids = createIds();
  let actors = await createActors(server.origin, ids);
  const findings: Findings = {
    seed,
    calls: 0,
    statuses: {},
    failures: [],
    timeouts: [],
    undocumented: [],
    stall: { ms: 0, wall: 0, gc: 0, requests: [] },
    memory: { early: 0, late: 0 },
  };
  await server.stall();
  const batch = connections * Math.ceil(lookEvery / connections);
  const waiting: Promise<void>[] = [];
  while (findings.calls < calls) {
    if (findings.calls % reportEvery < batch) report(findings.calls);
    if (!(await actors.isAlive())) {
      ids.clear();
      actors = await createActors(server.origin, ids);
      await server.stall();
    }
    const made = Array.from({ length: batch }, () => makeCall({ random, ids }));
    await runBatch(server, made, { actors, random, ids, findings, connections, waiting });
    findings.stall = longest(findings.stall, await server.stall());
    if (findings.memory.early === 0 && findings.calls * 10 >= calls) {
      findings.memory.early = await server.memory();
    }
  }
  await Promise.all(waiting);
  findings.memory.late = await server.memory();
  return findings;
}

/** The longest of two stalls in each measure, with the requests of the one with more CPU time. */
const longest = (one: Stall, other: Stall): Stall => ({
  ms: Math.max(one.ms, other.ms),
  wall: Math.max(one.wall, other.wall),
  gc: Math.max(one.gc, other.gc),
  requests: (one.ms >= other.ms ? one : other).requests,
});

type Run = {
  actors: Actors;
  random: Random;
  ids: Ids;
  findings: Findings;
  connections: number;
  /** Reads of the feed, which may wait for events: other calls go on meanwhile. */
  waiting: Promise<void>[];
};

async function runBatch({ origin }: Server, made: FuzzCall[], run: Run): Promise<void> {
  // Callers are chosen in order, so that a seed repeats the calls.
  const pending = made
    .map((call) => ({ call, token: run.actors.pick(call.operation.name, run.random) }))
    .values();
  const line = async () => {
    for (const { call, token } of pending) {
      const ended = runCall(origin, call, token, run);
      if (call.operation.name === "workspace.events") run.waiting.push(ended);
      else await ended;
    }
  };
  await Promise.all(Array.from({ length: run.connections }, line));
}

async function runCall(
  origin: string,
  call: FuzzCall,
  token: string | undefined,
  { findings, ids }: Run,
): Promise<void> {
  findings.calls++;
  const { method, path, headers, body } = call;
  const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  let response: Response;
  let text: string;
  try {
    response = await fetch(origin + path, {
      method,
      headers: { ...authorization, ...headers },
      ...(body === undefined ? {} : { body: body.toWellFormed() }),
      redirect: "manual",
      signal: AbortSignal.timeout(callLimit),
    });
    text = await textOf(response);
  } catch (error) {
    // The service may close the connection of a body that is too large.
    const isTimeout = error instanceof Error && error.name === "TimeoutError";
    if (isTimeout) findings.timeouts.push(describe(call));
    count(findings, isTimeout ? "timeout" : "closed");
    return;
  }
  count(findings, String(response.status));
  const line = `${describe(call)} → ${response.status} ${text.slice(0, 300)}`;
  if (isFailure(call.operation, response.status)) findings.failures.push(line);
  const fault = documentedFault(call, response, text);
  if (fault !== undefined) findings.undocumented.push(`${line}: ${fault}`);
  // The catalogue of events has example ids.
  const isExample = call.operation.name === "webhook.catalogue";
  if (response.status === 200 && !isExample) learn(ids, call, response, text);
}

/** Whether a status is a finding: 502 too, unless the operation calls another service. */
export const isFailure = ({ callsProvider }: Operation, status: number): boolean =>
  status >= 500 && !(status === 502 && callsProvider);

/** The text of a response; of a stream of events, the first part. */
async function textOf(response: Response): Promise<string> {
  const type = response.headers.get("content-type") ?? "";
  if (!type.startsWith("text/event-stream") || response.body === null) return response.text();
  const reader = response.body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}

const isJson = ({ headers }: Response) =>
  headers.get("content-type")?.startsWith("application/json") === true;

/** What is undocumented in a response. */
function documentedFault(
  { operation, api, method, path }: FuzzCall,
  response: Response,
  text: string,
) {
  const type = response.headers.get("content-type") ?? "";
  if (api === "REST") {
    return faultOf(
      method,
      path.slice("/api/v1".length).split("?")[0] ?? "",
      response.status,
      type,
      text,
    );
  }
  if (!isJson(response)) return `tRPC answers ${type}`;
  const read = JSON.parse(text);
  if (response.status !== 200) {
    const issues: unknown = read.error?.data?.issues;
    if (!Array.isArray(issues)) return "a tRPC error without issues";
    const unknown = issues.find(({ code }) => !Object.hasOwn(failureDescriptions, String(code)));
    return unknown && `an issue without a code of the catalogue: ${JSON.stringify(unknown)}`;
  }
  return faultOfResult(operation, read.result?.data ?? null);
}

/** What is undocumented in a result of tRPC. It has the schema of REST, or describes the file. */
function faultOfResult({ name, method, path }: Operation, data: unknown): string | undefined {
  const { options, definition } = routeOf(name);
  if (options.response === undefined) {
    const filled = path.replace(/\{\w+\}/g, "x");
    return faultOf(method, filled, 200, "application/json", JSON.stringify(data));
  }
  const { data: parsed, error } = definition.output.schema?.safeParse(data) ?? {};
  if (error !== undefined) return error.message;
  return isDeepStrictEqual(parsed, data) ? undefined : "the description of a file has other fields";
}

function learn(ids: Ids, { operation, api }: FuzzCall, response: Response, text: string): void {
  if (!isJson(response)) return;
  const read = JSON.parse(text);
  ids.learn(operation.resource, api === "REST" ? read : read.result?.data);
}

const count = ({ statuses }: Findings, status: string) =>
  void (statuses[status] = (statuses[status] ?? 0) + 1);

function describe({ api, method, path, headers, body = "" }: FuzzCall): string {
  const shown = body.length > 400 ? `${body.slice(0, 400)}… (${body.length})` : body;
  const sent = JSON.stringify(headers).slice(0, 150);
  return `${api} ${method} ${path.slice(0, 300)} ${sent} ${shown}`;
}
