import { afterEach, describe, expect, test } from "vitest";
import { claimFor } from "../../../src/kernel/jobs/claim.ts";
import { cancel, end, enqueue, jobLeaseMs } from "../../../src/kernel/jobs/queue.ts";
import type { JobKind } from "../../../src/kernel/jobs/kinds.ts";
import { PermanentFailure, runNext, type Runner } from "../../../src/kernel/jobs/run.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { runDue, runners, startWorkers } from "../../support/jobs.ts";
import { useApp } from "../../support/app.ts";
import { jobsOf, letter, write } from "./fixtures.ts";
import { deleteJobs } from "../../support/state.ts";
import { gate } from "../../support/gate.ts";

const app = useApp({ isolated: true });
const hour = 3_600_000;

afterEach(() => deleteJobs(app()));

const claimNext = (kind: JobKind) =>
  claimFor(1)(app().db.write, { kinds: [kind], now: app().deps.clock() });
const by = (mail: Runner) => ({ ...runners, mail });
const queueLetter = (when = {}) => write(app(), (work) => enqueue(work, "mail", letter(), when));

describe("a job", () => {
  test("runs once, after the commit, and its payload is deleted at its end", async () => {
    await queueLetter();
    const payloads: unknown[] = [];
    await runDue(
      app().deps,
      by(async (_deps, payload) => void payloads.push(payload)),
    );
    await runDue(
      app().deps,
      by(async (_deps, payload) => void payloads.push(payload)),
    );
    expect(payloads).toEqual([letter()]);
    expect(await jobsOf(app())).toMatchObject([{ status: "completed", attempts: 1, payload: {} }]);
  });

  test("is not queued when its transaction fails", async () => {
    const failing = write(app(), async (work) => {
      await enqueue(work, "mail", letter());
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await jobsOf(app())).toEqual([]);
  });

  test("waits for `runAt`", async () => {
    await queueLetter({ runAt: new Date(app().deps.clock().getTime() + hour) });
    let ran = 0;
    await runDue(
      app().deps,
      by(async () => void ran++),
    );
    expect(ran).toBe(0);
    app().advance(hour);
    await runDue(
      app().deps,
      by(async () => void ran++),
    );
    expect(ran).toBe(1);
  });

  test("is unique for its kind and key while it is live", async () => {
    const queued = [await queueLetter({ uniqueKey: "a" }), await queueLetter({ uniqueKey: "a" })];
    expect(queued).toEqual([true, false]);
    expect(await queueLetter({ uniqueKey: "b" })).toBe(true);
    await runDue(
      app().deps,
      by(async () => undefined),
    );
    expect(await queueLetter({ uniqueKey: "a" })).toBe(true);
    expect(await jobsOf(app())).toHaveLength(3);
  });

  test("that fails is retried with growing delays, and then fails", async () => {
    await queueLetter();
    const runner = by(async () => {
      throw new Error("the server is down");
    });
    const waits: number[] = [];
    for (let attempt = 1; attempt < 15; attempt++) {
      await runDue(app().deps, runner);
      const [job] = await jobsOf(app());
      expect(job).toMatchObject({
        status: "queued",
        attempts: attempt,
        lastError: "the server is down",
      });
      const wait = Number(job?.runAt) - app().deps.clock().getTime();
      waits.push(wait);
      app().advance(wait);
    }
    expect(waits[0]).toBeGreaterThanOrEqual(8_000);
    expect(waits[3]).toBeGreaterThan(Number(waits[0]) * 4);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1.2 * hour);
    await runDue(app().deps, runner);
    expect(await jobsOf(app())).toMatchObject([
      { status: "failed", attempts: 15, payload: letter() },
    ]);
    expect(app().errors.splice(0)).toHaveLength(1);
  });

  test("with a permanent failure is not retried", async () => {
    await queueLetter();
    const runner = by(async () => {
      throw new PermanentFailure("unknown address");
    });
    await runDue(app().deps, runner);
    expect(await jobsOf(app())).toMatchObject([{ status: "failed", attempts: 1 }]);
    expect(app().errors.splice(0)).toHaveLength(1);
  });

  test("whose worker dies in every attempt fails", async () => {
    await queueLetter();
    for (let attempt = 1; attempt <= 15; attempt++) {
      expect(await claimNext("mail")).not.toBeNull();
      app().advance(jobLeaseMs + 1);
    }
    await runDue(app().deps);
    expect(await jobsOf(app())).toMatchObject([
      { status: "failed", lastError: "The worker of the job died in every attempt." },
    ]);
    expect(app().errors.splice(0)).toHaveLength(1);
  });
});

describe("workers", () => {
  test("run each job once, and not in parallel", async () => {
    await write(app(), async (work) => {
      for (let n = 0; n < 60; n++) await enqueue(work, "mail", letter(`letter ${n}`));
    });
    const running = new Set<string>();
    const ran: string[] = [];
    let twice = 0;
    const runner = by(async (deps, payload) => {
      const key = JSON.stringify(payload);
      if (running.has(key)) twice++;
      running.add(key);
      ran.push(key);
      await deps.db.read(sql`SELECT pg_sleep(0.002)`);
      running.delete(key);
    });
    await Promise.all(Array.from({ length: 8 }, () => runDue(app().deps, runner)));
    expect(twice).toBe(0);
    expect(new Set(ran).size).toBe(60);
    expect(ran).toHaveLength(60);
  });

  test("claim a job whose lease has expired, and the previous worker cannot end it", async () => {
    await queueLetter();
    const { write: run } = app().db;
    const lost = await claimNext("mail");
    expect(await claimNext("mail")).toBeNull();
    app().advance(jobLeaseMs);
    const claimed = await claimNext("mail");
    expect(claimed).toMatchObject({ id: lost?.id, attempts: 2 });
    if (lost !== null) await end(run, lost, "failed", app().deps.clock());
    expect(await jobsOf(app())).toMatchObject([{ status: "running" }]);
    if (claimed !== null) await end(run, claimed, "completed", app().deps.clock());
    expect(await jobsOf(app())).toMatchObject([{ status: "completed" }]);
  });

  test("hold the lease of a long job that calls `alive`", async () => {
    await queueLetter();
    const others: unknown[] = [];
    const runner = by(async (_deps, _payload, { alive }) => {
      for (let step = 0; step < 4; step++) {
        app().advance(jobLeaseMs - 1);
        others.push(await claimNext("mail"));
        await alive();
      }
    });
    await runNext(app().deps, runner);
    expect(others).toEqual([null, null, null, null]);
    expect(await jobsOf(app())).toMatchObject([{ status: "completed", attempts: 1 }]);
  });

  test("do not run cancelled jobs, and abort running ones", async () => {
    await queueLetter({ uniqueKey: "before" });
    const cancelled = (key: string) => write(app(), (work) => cancel(work, "mail", key));
    expect(await cancelled("before")).toBe(true);
    expect(await cancelled("before")).toBe(false);
    await queueLetter({ uniqueKey: "meanwhile" });
    const steps: string[] = [];
    const runner = by(async (_deps, _payload, { signal, alive }) => {
      await alive();
      steps.push("first");
      await cancelled("meanwhile");
      await alive().finally(() => steps.push(signal.aborted ? "aborted" : "not aborted"));
      steps.push("second");
    });
    await runDue(app().deps, runner);
    expect(steps).toEqual(["first", "aborted"]);
    expect(await jobsOf(app())).toMatchObject([{ status: "cancelled" }, { status: "cancelled" }]);
  });

  test("that are stopped finish their jobs, and claim no other", async () => {
    await queueLetter();
    const started = gate();
    const release = gate();
    const runner = by(async () => {
      started.open();
      await release.opened;
    });
    const workers = startWorkers(app().deps, 2, runner);
    await started.opened;
    let isStopped = false;
    const stopped = workers.stop().then(() => (isStopped = true));
    await queueLetter();
    expect(isStopped).toBe(false);
    release.open();
    await stopped;
    expect(await jobsOf(app())).toMatchObject([{ status: "completed" }, { status: "queued" }]);
  });

  test("that are stopped requeue a long job without using an attempt", async () => {
    await queueLetter();
    const started = gate();
    const runner = by(async (_deps, _payload, { signal, alive }) => {
      started.open();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      await alive();
    });
    const workers = startWorkers(app().deps, 1, runner);
    await started.opened;
    await workers.stop();
    expect(await jobsOf(app())).toMatchObject([{ status: "queued", attempts: 0, leasedBy: null }]);
  });
});

describe("the schedule", () => {
  test("has each periodic job once, with any number of processes", async () => {
    await Promise.all(Array.from({ length: 6 }, () => runDue(app().deps)));
    for (let round = 0; round < 3; round++) {
      app().advance(hour);
      await Promise.all(Array.from({ length: 6 }, () => runDue(app().deps)));
    }
    const jobs = await app().db.reader.job.findMany({ orderBy: { kind: "asc" } });
    expect(jobs.map(({ kind, status }) => [kind, status])).toEqual([
      ["digest", "queued"],
      ["dueSoon", "queued"],
      ["purge", "queued"],
    ]);
  });

  test("continues after a failure", async () => {
    const failing = { ...runners, digest: () => Promise.reject(new Error("no")) };
    const count = async () => {
      let runs = 0;
      const digest: Runner = async () => void runs++;
      await runDue(app().deps, { ...runners, digest });
      return runs;
    };
    for (let attempt = 0; attempt < 5; attempt++) {
      await runDue(app().deps, failing);
      app().advance(hour);
    }
    expect(await count()).toBe(1);
    expect(app().errors.splice(0)).toHaveLength(1);
  });
});
