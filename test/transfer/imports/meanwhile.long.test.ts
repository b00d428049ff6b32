import { expect, test } from "vitest";
import { runDue } from "../../support/jobs.ts";
import { useApp } from "../../support/app.ts";
import { join, makeWorkspace } from "../../support/make.ts";
import { boardOf, read, send } from "./importing.ts";
import { afterFirst } from "./source.ts";
import { makeExport } from "./trello-export.ts";

const app = useApp({ isolated: true });
const source = makeExport({ cards: 1_500 });

/**
 * Starts an import by a member, and does something when its first cards are there; answers how it
 * ended.
 */
async function disturbed(happens: (home: Home) => Promise<unknown>) {
  const home = await begin();
  const { body } = await send(app(), home.workspace, source, home.member.token);
  expect(body.status).toBe("queued");
  const once = async () => void (await happens(home));
  await runDue(afterFirst(app(), "cards", home.workspace.publicId, once));
  return { home, id: body.publicId as string };
}

async function begin() {
  const workspace = await makeWorkspace(app());
  return { workspace, member: await join(app(), workspace, "member") };
}

type Home = Awaited<ReturnType<typeof begin>>;

const boardIn = async ({ workspace }: Home): Promise<string> =>
  (await workspace.admin.rest.get(`/workspaces/${workspace.publicId}/boards`)).body.items[0]
    .publicId;

test.each([
  [
    "is removed",
    ({ workspace, member }: Home) =>
      workspace.admin.rest.delete(
        `/workspaces/${workspace.publicId}/members/${member.memberPublicId}`,
      ),
  ],
  [
    "loses the permission",
    ({ workspace, member }: Home) =>
      workspace.admin.rest.post(
        `/workspaces/${workspace.publicId}/members/${member.memberPublicId}/permissions/revoke`,
        { permission: "board:create" },
      ),
  ],
])(
  "an import whose starter %s in the middle ends there: what is done stays",
  async (_, happens) => {
    const { home, id } = await disturbed(async (one) => {
      expect((await happens(one)).status).toBe(200);
    });
    const done = await read(home.workspace, id);
    expect([done.status, done.error]).toEqual([
      "failed",
      expect.stringContaining("may not create"),
    ]);
    const { lists } = await boardOf(home.workspace, await boardIn(home));
    const count = lists.reduce((sum: number, { cards }: any) => sum + cards.length, 0);
    expect(count).toBeGreaterThan(0);
    expect(count).toBe(done.counts.card.created);
  },
);

test("an import whose board is deleted in the middle ends there, and says so", async () => {
  const { home, id } = await disturbed(async (one) => {
    const { status } = await one.workspace.admin.rest.delete(`/boards/${await boardIn(one)}`);
    expect(status).toBe(200);
  });
  const done = await read(home.workspace, id);
  expect([done.status, done.error]).toEqual([
    "failed",
    expect.stringContaining("was deleted during"),
  ]);
  expect(done.boards).toEqual([]);
});

test("an import whose workspace is deleted in the middle ends there", async () => {
  const { id } = await disturbed(async ({ workspace }) => {
    const { status } = await workspace.admin.rest.delete(`/workspaces/${workspace.publicId}`);
    expect(status).toBe(200);
  });
  const row = await app().db.reader.import.findUniqueOrThrow({ where: { publicId: id } });
  expect([row.status, row.error]).toEqual(["failed", "The workspace has been deleted."]);
  expect(await app().db.reader.importFile.count()).toBe(0);
});

test("a board that two people import at the same time is imported once", async () => {
  const home = await begin();
  const small = makeExport({ cards: 30 });
  const sent = await Promise.all([
    send(app(), home.workspace, small),
    send(app(), home.workspace, { ...small, name: "Renamed" }, home.member.token),
    send(app(), home.workspace, small, home.member.token),
  ]);
  const statuses = sent.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([200, 200, 409]);
  await Promise.all([runDue(app().deps), runDue(app().deps)]);
  app().advance(5_000);
  await runDue(app().deps);
  const ids = sent.flatMap(({ status, body }) => (status === 200 ? [body.publicId] : []));
  const done = await Promise.all(ids.map((id) => read(home.workspace, id)));
  const cards = done.map(({ counts }) => [counts.card.created, counts.card.alreadyThere]);
  expect(cards.toSorted()).toEqual([
    [0, 30],
    [30, 0],
  ]);
});
