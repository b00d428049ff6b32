import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { publicId } from "../../platform/db/public-id.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { disable, doomed, type Doom } from "./disable.ts";
import {
  end,
  enqueue,
  isHungry,
  isIdle,
  laneOf,
  nextOf,
  readAhead,
  type WebhookQueue,
} from "./webhook-queue.ts";
import { endPending, mostEnded, releaseLeases, renewLeases, takeDue, type Due } from "./queue.ts";
import { serialLoop } from "./serial-loop.ts";
import { writeResults, type Result } from "./results.ts";
import { tryOnce } from "./try.ts";

/** Delivers what is due. Each webhook belongs to one courier of all instances at a time, which makes its attempts and bears its lease. */
export type Dispatcher = {
  /** Looks for what is due in a workspace, or everywhere. */
  look(where: bigint | "everywhere"): void;
  /** Renews the leases of what it is at, and leaves what it has long been done with. */
  beat(): void;
  /** Waits until it has nothing to do; answers how many attempts it has made so far. */
  quiet(): Promise<number>;
  /** Begins nothing more, waits for what is under way, breaks it off when that takes too long, and leaves everything to others. */
  stop(patienceMs: number): Promise<void>;
};

const idleMs = 5_000;
const afterFaultMs = 500;
/** After a look that found nothing: most writes are in workspaces without webhooks, and several rings are one look. */
const restMs = 10;
const mostWritten = 200;
/** How long a result waits for others to be written with. */
const gatherMs = 5;
/** The second to fourth attempt at one target is made only while this much of all slots is taken, so that slow targets leave some to the others. */
const crowded = 0.75;

/** A courier that makes so many attempts at a time. */
export function createDispatcher(deps: Deps, slots: number): Dispatcher {
  const { clock, log } = deps;
  const query = deps.db.write;
  const by = `${process.pid}:${publicId()}`;
  const lanes = new Map<bigint, WebhookQueue>();
  const results: Result[] = [];
  const calling = new Set<bigint>();
  const halt = new AbortController();
  setMaxListeners(0, halt.signal);
  const disabling = new Map<bigint, Doom>();
  const waiting: (() => void)[] = [];
  let everywhere = false;
  let beating = false;
  let stopping = false;
  let flying = 0;
  let attempts = 0;

  const hungry = () => [...lanes.values()].filter(isHungry);
  const mayRead = () =>
    !stopping && flying < slots && (everywhere || calling.size > 0 || hungry().length > 0);
  const settle = () => {
    if (flying > 0 || reading.busy() || writing.busy()) return;
    for (const wake of waiting.splice(0)) wake();
  };
  // One reader alone, so that nothing is begun twice.
  const reading = serialLoop(read, () => mayRead() || (beating && !stopping), settle);
  const writing = serialLoop(write, () => results.length > 0 || disabling.size > 0, settle);

  async function read() {
    try {
      if (beating) await keep();
      if (mayRead()) await take();
    } catch (error) {
      log.warn({ err: error }, "deliveries could not be read");
      everywhere = true;
      await pause(afterFaultMs);
    }
  }

  async function take() {
    const called = everywhere ? "everywhere" : [...calling];
    for (const lane of lanes.values()) {
      if (everywhere || calling.has(lane.workspaceId)) lane.more = true;
    }
    const mine = hungry();
    for (const lane of mine) lane.more = false;
    everywhere = false;
    calling.clear();
    const found = await takeDue(query, {
      by,
      now: clock(),
      workspaces: called,
      mine: mine.map(({ webhookId }) => webhookId),
      room: slots - flying,
      running: [...lanes.values()].flatMap(({ open }) => [...open]),
      each: readAhead,
    });
    const unwanted = new Set<bigint>();
    for (const due of found) {
      let lane = lanes.get(due.webhookId);
      if (lane === undefined) lanes.set(due.webhookId, (lane = laneOf(due)));
      if (due.isWanted) enqueue(lane, due);
      else unwanted.add(due.webhookId);
    }
    fill();
    if (found.length === 0 && called !== "everywhere") await pause(restMs);
    for (const id of unwanted) {
      const ended = await endPending(query, id, clock());
      if (ended === mostEnded) everywhere = true;
    }
  }

  function fill() {
    if (stopping) return;
    for (const lane of lanes.values()) {
      while (flying < (lane.flying === 0 ? slots : slots * crowded)) {
        const due = nextOf(lane);
        if (due === undefined) break;
        void send(lane, due);
      }
    }
  }

  async function send(lane: WebhookQueue, due: Due) {
    lane.open.add(due.id);
    lane.flying++;
    flying++;
    attempts++;
    const result = await tryOnce(deps, due, halt.signal);
    lane.flying--;
    flying--;
    lane.busyAt = performance.now();
    if (result === null) lane.open.delete(due.id);
    else results.push(result);
    fill();
    writing.wake();
    reading.wake();
    settle();
  }

  async function write() {
    if (results.length < mostWritten && !stopping) await pause(gatherMs);
    const batch = results.splice(0, mostWritten);
    try {
      const health = await writeResults(query, batch);
      for (const { id, webhookId } of batch) lanes.get(webhookId)?.open.delete(id);
      for (const [id, reason] of doomed(batch, health, clock())) disabling.set(id, reason);
      batch.length = 0;
      for (const [id, reason] of disabling) {
        await disable(deps, id, reason);
        disabling.delete(id);
      }
    } catch (error) {
      log.warn({ err: error }, "what came of deliveries could not be written");
      results.unshift(...batch);
      await pause(afterFaultMs);
    }
    reading.wake();
  }

  async function keep() {
    beating = false;
    const all = [...lanes.values()];
    const idle = all.filter((lane) => isIdle(lane, idleMs)).map(({ webhookId }) => webhookId);
    const busy = all.map(({ webhookId }) => webhookId).filter((id) => !idle.includes(id));
    const ours = await renewLeases(query, by, busy, clock());
    for (const lane of all.filter(({ webhookId: id }) => busy.includes(id) && !ours.has(id))) {
      if (end(lane)) lanes.delete(lane.webhookId);
    }
    if (idle.length > 0) await releaseLeases(query, by, idle);
    for (const id of idle) lanes.delete(id);
  }

  async function quiet() {
    if (flying > 0 || reading.busy() || writing.busy()) {
      await new Promise<void>((wake) => waiting.push(wake));
    }
    return attempts;
  }

  return {
    look(where) {
      if (where === "everywhere") everywhere = true;
      else calling.add(where);
      reading.wake();
    },
    beat() {
      beating = true;
      reading.wake();
    },
    quiet,
    async stop(patience) {
      stopping = true;
      const timer = setTimeout(() => halt.abort(), patience);
      await quiet();
      clearTimeout(timer);
      const ids = [...lanes.keys()];
      lanes.clear();
      if (ids.length === 0) return;
      await releaseLeases(query, by, ids).catch((error: unknown) =>
        log.warn({ err: error }, "webhooks were not left to others"),
      );
    },
  };
}
