import { closeSync, openSync, readSync } from "node:fs";
import { PerformanceObserver } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";

const every = 5;

/** Measures how long the event loop takes for one iteration, in CPU time of its thread, without garbage collection. */
export function createStallMeter() {
  const cpuTime = threadClock();
  const inFlight = new Map();
  let touched = new Map();
  let stalls = [];
  let collections = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  let last = { at: performance.now(), cpu: cpuTime() };

  setInterval(() => {
    const now = { at: performance.now(), cpu: cpuTime() };
    const wall = now.at - last.at - every;
    if (wall > 15) {
      stalls.push({ from: last.at, to: now.at, wall, cpu: now.cpu - last.cpu, requests: touched });
    }
    touched = new Map(inFlight);
    last = now;
  }, every).unref();

  /** Splits the CPU time of an iteration into the service's own and the collector's. */
  function measure({ from, to, wall, cpu, requests }) {
    const gc = collections
      .filter(({ startTime, duration }) => startTime < to && startTime + duration > from)
      .reduce((sum, { duration }) => sum + duration, 0);
    const share = Math.min(1, cpu / (to - from));
    return {
      ms: Math.max(0, Math.min(cpu, wall * share) - gc * share),
      wall,
      gc,
      requests: [...requests.values()],
    };
  }

  return {
    start(request) {
      const { method, url, headers } = request;
      const label = `${method} ${url.slice(0, 200)} (${headers["content-length"] ?? 0} bytes)`;
      inFlight.set(request, label);
      touched.set(request, label);
    },
    finish: (request) => inFlight.delete(request),
    /** The longest stall since the last call, and the requests then. */
    async longest() {
      await nextTurn();
      await nextTurn();
      const measured = stalls.map(measure);
      const most = (field) => Math.max(0, ...measured.map((stall) => stall[field]));
      const ms = most("ms");
      const found = measured.find((stall) => stall.ms === ms);
      const result = { ms, wall: most("wall"), gc: most("gc"), requests: found?.requests ?? [] };
      stalls = [];
      collections = [];
      return result;
    },
  };
}

/** The CPU time of the main thread in ms; elsewhere than on Linux, of the process. */
function threadClock() {
  const buffer = Buffer.alloc(128);
  let file;
  try {
    file = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
    readSync(file, buffer, 0, buffer.length, 0);
  } catch {
    if (file !== undefined) closeSync(file);
    return () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    };
  }
  return () => {
    const length = readSync(file, buffer, 0, buffer.length, 0);
    return Number(buffer.toString("latin1", 0, length).split(" ")[0]) / 1e6;
  };
}
