import { expect, test } from "vitest";
import type { SourceImport } from "../../../src/transfer/imports/job/sources.ts";
import { turnMs } from "../../../src/kernel/jobs/lease.ts";
import { writeBoard } from "../../../src/transfer/imports/write/board.ts";
import { timesOf } from "../../../src/transfer/imports/write/source.ts";
import { recordedWriter } from "../../../src/transfer/imports/write/step.ts";
import { useApp } from "../../support/app.ts";
import { makeWorkspace, type Workspace } from "../../support/make.ts";
import { begin, runWith, shown } from "./source.ts";

const app = useApp({ isolated: true });

const boards = 8;
/** So many boards of the source are a turn. */
const perTurn = 3;

/** Imports boards slowly; notes each run and each board, and calls `created` after each board. */
function slowly(notes: string[], created: (note: string) => Promise<void>): SourceImport {
  return async (run) => {
    notes.push(`run ${run.row.workspaceId}`);
    for (let nth = 0; nth < boards; nth++) {
      const named = { publicId: `b${nth}`, name: `Board ${nth}`, description: null };
      const source = { ...named, ...timesOf() };
      const more = { archivedAt: null, labels: [], lists: [], visibility: "private" as const };
      const before = await boardsOf(run.row.workspaceId);
      await writeBoard(recordedWriter(run), { ...source, ...more });
      if ((await boardsOf(run.row.workspaceId)) === before) continue;
      const note = `${run.row.workspaceId} ${nth}`;
      notes.push(note);
      app().advance(turnMs / perTurn);
      await created(note);
    }
  };
}

const boardsOf = (workspaceId: bigint) => app().db.reader.board.count({ where: { workspaceId } });

const idOf = async ({ publicId }: Workspace) =>
  (await app().db.reader.workspace.findUniqueOrThrow({ where: { publicId } })).id;

test("long imports of accounts take turns, and continue", async () => {
  const [home, other] = [await makeWorkspace(app()), await makeWorkspace(app())];
  const [one, two] = [await idOf(home), await idOf(other)];
  const imports = [await begin(app(), home)];
  const notes: string[] = [];
  const meanwhile: unknown[] = [];
  const source = slowly(notes, async (note) => {
    if (note === `${one} 0`) imports.push(await begin(app(), other));
    if (note === `${two} 0`) meanwhile.push((await shown(home, imports[0] ?? "")).body);
  });
  await runWith(app(), source);
  const runs = notes.filter((note) => note.startsWith("run"));
  expect(runs.slice(0, 4)).toEqual([`run ${one}`, `run ${two}`, `run ${one}`, `run ${two}`]);
  expect(meanwhile).toMatchObject([{ status: "queued", progress: { phase: "waiting" } }]);
  app().resetClock();
  for (const [nth, workspace] of [home, other].entries()) {
    const { body } = await shown(workspace, imports[nth] ?? "");
    const counts = [{ kind: "board", found: boards, created: boards, leftOut: 0 }];
    expect(body).toMatchObject({ status: "completed", counts });
    expect(await boardsOf(await idOf(workspace))).toBe(boards);
  }
});

test("a long import of the only account that imports runs without a break", async () => {
  const home = await makeWorkspace(app());
  await begin(app(), home, "first");
  await begin(app(), home, "second", "github");
  const notes: string[] = [];
  await runWith(
    app(),
    slowly(notes, async () => undefined),
  );
  expect(notes.filter((note) => note.startsWith("run"))).toHaveLength(2);
});
