import { expect, test } from "vitest";
import type { ImportContext } from "../../../src/transfer/imports/job/context.ts";
import { ImportFailure, SourceBusy } from "../../../src/transfer/imports/job/failure.ts";
import { writeBoard } from "../../../src/transfer/imports/write/board.ts";
import { timesOf } from "../../../src/transfer/imports/write/source.ts";
import { recordedWriter } from "../../../src/transfer/imports/write/step.ts";
import { UnitOfWork } from "../../../src/kernel/events/unit-of-work.ts";
import { reserveFiles } from "../../../src/transfer/imports/job/files.ts";
import { reserveImport } from "../../../src/transfer/imports/job/start.ts";
import { sweepImports } from "../../../src/transfer/imports/job/sweep.ts";
import { reserve as park } from "../../../src/transfer/imports/workspace/start.ts";
import { runDue } from "../../support/jobs.ts";
import { pour, stored } from "../../domain/attachments/files.ts";
import { useApp } from "../../support/app.ts";
import { makeWorkspace } from "../../support/make.ts";
import { send } from "./importing.ts";
import { makeExport } from "./trello-export.ts";
import { begin, runWith, sealAsBefore, shown, importEvents } from "./source.ts";
import { exhaustWaits, failImportJob, loseImport } from "../../support/faults.ts";
import { eventsIn, setOverride } from "../../kernel/access/membership.ts";

const app = useApp({ isolated: true });

test("an import runs as a job, reports its progress, and ends with counts and a report", async () => {
  const home = await makeWorkspace(app());
  const id = await begin(app(), home);
  expect((await shown(home, id)).body).toMatchObject({ status: "queued", startedAt: null });
  await runWith(app(), async (run) => {
    run.progress("counting", 1, 2);
    run.pending.skip({
      kind: "sticker",
      sourceId: "s1",
      name: "A star",
      reason: "Stickers are not supported.",
    });
    await run.step(async (_work, made) => {
      made.add("card", "created", 2);
      made.add("card", "alreadyThere");
    });
    run.progress("counting", 2, 2);
  });
  expect((await shown(home, id)).body).toMatchObject({
    source: "workspace",
    status: "completed",
    workspacePublicId: home.publicId,
    progress: { phase: "counting", done: 2, total: 2 },
    counts: [
      { kind: "card", found: 3, created: 2, alreadyThere: 1, leftOut: 0 },
      { kind: "sticker", found: 1, created: 0, alreadyThere: 0, leftOut: 1 },
    ],
    report: {
      items: [
        {
          kind: "sticker",
          sourceId: "s1",
          name: "A star",
          reason: "Stickers are not supported.",
          isPartlyThere: false,
          count: 1,
        },
      ],
      nextCursor: null,
    },
    error: null,
    finishedAt: app().deps.clock().toISOString(),
  });
  expect(await importEvents(app())).toEqual([
    "import.started",
    "import.progress",
    "import.completed",
  ]);
});

test("the input is sealed while the import runs, and deleted when it has ended", async () => {
  const home = await makeWorkspace(app());
  const id = await begin(app(), home);
  const input = async () =>
    (await app().db.reader.import.findUniqueOrThrow({ where: { publicId: id } })).input;
  expect(await input()).toMatch(/^v1\./);
  let received: unknown;
  await runWith(app(), async (_run, ask) => void (received = ask));
  expect(received).toEqual({ secret: "of a third party" });
  expect(await input()).toBe("");
});

test("an import that version 0.1.0 queued runs with its input", async () => {
  const home = await makeWorkspace(app());
  const id = await begin(app(), home);
  await sealAsBefore(app(), id);
  let received: unknown;
  await runWith(app(), async (_run, ask) => void (received = ask));
  expect(received).toEqual({ secret: "of a third party" });
  expect((await shown(home, id)).body.status).toBe("completed");
});

test("the same import started again while it runs is answered as the same one", async () => {
  const home = await makeWorkspace(app());
  const id = await begin(app(), home);
  expect(await begin(app(), home)).toBe(id);
  expect(await begin(app(), home, "another one")).not.toBe(id);
  await runWith(app(), async () => undefined);
  expect(await begin(app(), home)).not.toBe(id);
});

test("an import that fails says why, and its committed steps stay", async () => {
  const home = await makeWorkspace(app());
  const id = await begin(app(), home);
  await runWith(app(), async (run) => {
    await run.step(async (_work, made) => made.add("board", "created"));
    throw new ImportFailure("The source has gone.");
  });
  expect((await shown(home, id)).body).toMatchObject({
    status: "failed",
    error: "The source has gone.",
    counts: [{ kind: "board", created: 1 }],
  });
});

test("a step that fails adds nothing to the counts", async () => {
  const home = await makeWorkspace(app());
  const id = await begin(app(), home);
  await runWith(app(), async (run) => {
    await run.step(async (_work, made) => {
      made.add("board", "created");
      throw new ImportFailure("No.");
    });
  });
  expect((await shown(home, id)).body).toMatchObject({ status: "failed", counts: [] });
});

test("a busy source is asked again after the time that it names", async () => {
  const home = await makeWorkspace(app());
  const id = await begin(app(), home);
  let asked = 0;
  const busy = async () => {
    asked += 1;
    if (asked === 1) throw new SourceBusy(60_000, "limit", "It is busy.");
  };
  await runWith(app(), busy);
  expect((await shown(home, id)).body).toMatchObject({
    status: "queued",
    progress: { phase: "waiting" },
  });
  await runWith(app(), busy);
  expect(asked).toBe(1);
  app().advance(60_000);
  await runWith(app(), busy);
  expect((await shown(home, id)).body).toMatchObject({ status: "completed" });
});

test("waits for a limit of the source do not count as its failures", async () => {
  const home = await makeWorkspace(app());
  const id = await begin(app(), home);
  const faults = [...Array<"limit">(6).fill("limit"), "failure"] as const;
  for (const because of faults) {
    await runWith(app(), async () => {
      throw new SourceBusy(60_000, because, "It is busy.");
    });
    expect((await shown(home, id)).body.status).toBe("queued");
    app().advance(60_000);
  }
  await runWith(app(), async () => undefined);
  expect((await shown(home, id)).body).toMatchObject({ status: "completed" });
});

test("only waits without progress count: an import that creates something may wait again", async () => {
  const home = await makeWorkspace(app());
  const id = await begin(app(), home);
  const named = { publicId: "b1", name: "B", description: null, archivedAt: null };
  const boardOnce = { ...named, ...timesOf() };
  await exhaustWaits(app(), id);
  const creating = async (run: ImportContext) => {
    await writeBoard(recordedWriter(run), { ...boardOnce, lists: [], labels: [] });
    throw new SourceBusy(60_000, "failure", "It is away.");
  };
  for (let wait = 0; wait < 6; wait++) {
    await runWith(app(), creating);
    expect((await shown(home, id)).body.status).toBe("queued");
    app().advance(60_000);
  }
  // Only the first run has created something.
  await runWith(app(), creating);
  expect((await shown(home, id)).body).toMatchObject({ status: "failed", error: "It is away." });
});

test("a cancelled import creates nothing more", async () => {
  const home = await makeWorkspace(app());
  const id = await begin(app(), home);
  await runWith(app(), async (run) => {
    await run.step(async (_work, made) => made.add("board", "created"));
    const { status, body } = await home.admin.rest.post(`/imports/${id}/cancel`);
    expect([status, body.status]).toEqual([200, "cancelled"]);
    await run.step(async (_work, made) => made.add("board", "created"));
  });
  expect((await shown(home, id)).body).toMatchObject({
    status: "cancelled",
    counts: [{ kind: "board", created: 1 }],
  });
  expect((await home.admin.rest.post(`/imports/${id}/cancel`)).status).toBe(200);
});

test("an import that has ended cannot be cancelled", async () => {
  const home = await makeWorkspace(app());
  const id = await begin(app(), home);
  await runWith(app(), async () => undefined);
  expect((await home.admin.rest.post(`/imports/${id}/cancel`)).status).toBe(409);
});

test("two imports of one family take turns in a workspace", async () => {
  const home = await makeWorkspace(app());
  await begin(app(), home, "one");
  const second = await begin(app(), home, "another");
  let inside = 0;
  await runWith(app(), async (run) => {
    expect(++inside).toBe(1);
    const { body } = await shown(home, second);
    if (body.status === "queued") {
      // A run that starts now finds the other one at work.
      await runWith(app(), async () => void expect.unreachable());
    }
    inside -= 1;
    await run.checkAlive();
  });
  app().advance(2_000);
  await runWith(app(), async () => undefined);
  expect((await shown(home, second)).body.status).toBe("completed");
});

test("a running import reports its progress again and again", async () => {
  const home = await makeWorkspace(app());
  const id = await begin(app(), home);
  const said = async () => {
    const events = await eventsIn(app(), home.publicId, "import.progress");
    return events.map(({ data }) => data.import);
  };
  await runWith(app(), async (run) => {
    for (let done = 0; (await said()).length < 4; done++) {
      run.progress("counting", done);
      await run.pause(20);
    }
  });
  const all = await said();
  expect(all.map((one) => [one.publicId, one.status])).toEqual(all.map(() => [id, "running"]));
  const done = all.map((one) => one.progress.done);
  expect(done).toEqual(done.toSorted((one, other) => one - other));
  expect(new Set(done).size).toBeGreaterThan(2);
});

test("a run that lost its import to another run creates nothing more and deletes nothing", async () => {
  const home = await makeWorkspace(app());
  const id = await begin(app(), home);
  await runWith(app(), async (run) => {
    const [key = ""] = await run.step((tx) => reserveFiles(tx, run.row));
    await run.deps.files.put(key, pour(1, 5), 10);
    await loseImport(app(), id);
    await run.step(async (_work, made) => made.add("card", "created"));
  });
  expect((await shown(home, id)).body).toMatchObject({ status: "running", counts: [] });
  expect(await app().db.reader.importFile.count()).toBe(1);
  await home.admin.rest.post(`/imports/${id}/cancel`);
  app().advance(60 * 60_000);
  await sweepImports(app().deps);
  expect(await app().db.reader.importFile.count()).toBe(0);
});

test("a file that is stored while its import is cancelled is removed by its own run", async () => {
  const home = await makeWorkspace(app());
  const id = await begin(app(), home);
  const before = (await stored(app())).length;
  await runWith(app(), async (run) => {
    const [key = ""] = await run.step((tx) => reserveFiles(tx, run.row));
    await home.admin.rest.post(`/imports/${id}/cancel`);
    await sweepImports(app().deps);
    await run.deps.files.put(key, pour(1, 5), 10);
    await run.step(async () => undefined);
  });
  expect((await stored(app())).length).toBe(before);
  expect(await app().db.reader.importFile.count()).toBe(0);
});

test("cancelling a queued import deletes its file", async () => {
  const home = await makeWorkspace(app());
  const { body } = await send(app(), home, makeExport({ cards: 1 }));
  expect(await app().db.reader.importFile.count()).toBe(1);
  expect((await home.admin.rest.post(`/imports/${body.publicId}/cancel`)).body.status).toBe(
    "cancelled",
  );
  expect(await app().db.reader.importFile.count()).toBe(0);
  await runWith(app(), async () => expect.unreachable());
  expect((await shown(home, body.publicId)).body.status).toBe("cancelled");
});

test("a file of an import is deleted with its end", async () => {
  const home = await makeWorkspace(app());
  await begin(app(), home);
  const before = (await stored(app())).length;
  await runWith(app(), async (run) => {
    const [key = ""] = await run.step((tx) => reserveFiles(tx, run.row));
    await run.deps.files.put(key, pour(1, 5), 10);
    expect((await stored(app())).length).toBe(before + 1);
  });
  expect((await stored(app())).length).toBe(before);
  expect(await app().db.reader.importFile.count()).toBe(0);
});

test("an import whose worker is lost every time fails and says so", async () => {
  const home = await makeWorkspace(app());
  const id = await begin(app(), home);
  await failImportJob(app(), id);
  await sweepImports(app().deps);
  expect((await shown(home, id)).body).toMatchObject({
    status: "failed",
    error: expect.stringContaining("interrupted"),
  });
});

test.each(["trelloFile", "workspace"] as const)(
  "an import without its file (%s) fails after a day with that reason, and leaves no file",
  async (source) => {
    const home = await makeWorkspace(app());
    const files = await stored(app());
    const { db, deps } = app();
    const user = await db.reader.user.findUniqueOrThrow({ where: { email: home.admin.email } });
    const caller = { ...user, userId: user.id, sessionId: null, key: null };
    const { id } = await db.reader.workspace.findUniqueOrThrow({
      where: { publicId: home.publicId },
    });
    const { reserved, key } = await db.transact(async (prisma, query) => {
      const tx = new UnitOfWork<"workspace.created" | "import.started">(
        prisma,
        query,
        deps.clock(),
        [],
      );
      if (source === "workspace") {
        const parked = await park(tx, caller);
        return { reserved: parked.row, key: parked.storageKey };
      }
      const from = { workspace: { id, publicId: home.publicId }, caller };
      const row = await reserveImport(tx, from, source);
      const [storageKey = ""] = await reserveFiles(tx, row);
      return { reserved: row, key: storageKey };
    });
    await deps.files.put(key, pour(1, 10), 10);
    app().advance(23 * 60 * 60_000);
    await sweepImports(deps);
    expect(await db.reader.import.findUnique({ where: { id: reserved.id } })).toMatchObject({
      status: "queued",
    });
    app().advance(2 * 60 * 60_000);
    await sweepImports(deps);
    expect(await db.reader.import.findUnique({ where: { id: reserved.id } })).toMatchObject({
      status: "failed",
      error: "The file was not received. Send it again.",
    });
    expect(await stored(app())).toEqual(files);
    app().advance(31 * 24 * 60 * 60_000);
    await runDue(deps);
    const parked = { slug: { startsWith: "import-" } };
    expect(await db.reader.workspace.count({ where: parked })).toBe(0);
  },
);

test("an import stops when its starter loses board:create", async () => {
  const home = await makeWorkspace(app());
  const id = await begin(app(), home);
  const { body } = await home.admin.rest.get(`/workspaces/${home.publicId}`);
  await setOverride(app(), body.memberPublicId, "board:create", false);
  await runWith(app(), async (run) => {
    await run.step(async (_work, made) => made.add("board", "created"));
  });
  expect((await shown(home, id)).body).toMatchObject({
    status: "failed",
    error: expect.stringContaining("may not create boards"),
    counts: [],
  });
});
