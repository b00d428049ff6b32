import fc from "../support/fast-check.ts";
import { expect, test } from "vitest";
import { eventsIn } from "../kernel/access/membership.ts";
import { useApp } from "../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace, type User } from "../support/make.ts";
import { clientAt, type Client } from "./http.ts";
import { cardIdsByList, expectAnnounced } from "./invariants.ts";
import { checkPlans, clients, plansOf } from "./plans.ts";
import { statementOf } from "../support/statement-of.ts";

const app = useApp({ isolated: true });
const steps = 25;

/** What a client does next: the numbers select from the cards and lists that exist by then. */
const step = fc.record({
  what: fc.constantFrom(
    ...(["create", "create", "create", "move", "move", "move", "move", "shift"] as const),
    ...(["archive", "unarchive", "delete", "delete", "restore", "restore", "duplicate"] as const),
    ...(["copy", "archive list", "delete list", "restore list"] as const),
  ),
  card: fc.nat(),
  list: fc.nat(),
  position: fc.nat(9),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Two boards with a card on each of their lists, and eight admins over real connections. */
async function scene() {
  const workspace = await makeWorkspace(app());
  const boards = [
    await makeBoard(workspace, { lists: ["One", "Two"], labels: 0 }),
    await makeBoard(workspace, { lists: ["Three", "Four"], labels: 0 }),
  ].map(({ publicId, lists }) => ({ publicId, lists }));
  const lists = boards.flatMap((board) => board.lists);
  const cards: string[] = [];
  for (const list of lists) cards.push(await makeCard(workspace.admin, list));
  const users: User[] = [];
  for (let n = 0; n < clients; n++) users.push(await join(app(), workspace, "admin"));
  return { workspace, boards, lists, cards, users, deletions: { answered: 0 } };
}
type Scene = Awaited<ReturnType<typeof scene>>;

async function act(call: Client, here: Scene, now: Step): Promise<number> {
  const { cards, lists, boards, workspace, deletions } = here;
  const { what, position } = now;
  const card = `/cards/${cards[now.card % cards.length]}`;
  const other = cards[(now.card + position + 1) % cards.length] ?? "";
  const listPublicId = lists[now.list % lists.length];
  const list = `/lists/${listPublicId}`;
  const where = [
    {},
    { index: position },
    { beforeCardPublicId: other },
    { afterCardPublicId: other },
  ][position % 4];
  const made = async (path: string, body: object) => {
    const response = await call("POST", path, body);
    if (response.status === 200) cards.push(response.body.publicId);
    return response;
  };
  const calls = {
    create: () => made("/cards", { title: `Card ${cards.length}`, listPublicId, ...where }),
    move: () => call("PUT", card, { listPublicId, ...where }),
    shift: () => call("PUT", card, { ...where }),
    archive: () => call("PUT", card, { isArchived: true }),
    unarchive: () => call("PUT", card, { isArchived: false }),
    delete: () => call("DELETE", card),
    restore: () => call("POST", `${card}/restore`),
    duplicate: () => made(`${card}/duplicate`, { listPublicId }),
    copy: () =>
      call("POST", `/workspaces/${workspace.publicId}/boards`, {
        name: `Copy of ${position}`,
        sourceBoardPublicId: boards[position % 2]?.publicId,
      }),
    "archive list": () => call("PUT", list, { isArchived: position % 2 === 0 }),
    "delete list": () => call("DELETE", list),
    "restore list": () => call("POST", `${list}/restore`),
  };
  const { status, body } = await calls[what]();
  if (what === "delete" && status === 200) deletions.answered++;
  // A copy is whole and in order from its first moment on.
  if (what === "copy" && status === 200) cardIdsByList(body);
  return status;
}

const shown = `SELECT c."publicId" FROM cards c JOIN lists l ON l.id = c."listId" JOIN boards b ON b.id = l."boardId"
  WHERE c."deletedAt" IS NULL AND c."archivedAt" IS NULL AND l."deletedAt" IS NULL AND l."archivedAt" IS NULL
    AND b."publicId" = $1 ORDER BY l.position, c.position`;
/** Which of a workspace's cards the last event says to be deleted, and which are. */
const deletionStates = `SELECT c."publicId", c."deletedAt" IS NOT NULL AS gone, coalesce((SELECT e.type = 'card.deleted' FROM events e
    WHERE e."cardPublicId" = c."publicId" AND e.type IN ('card.deleted', 'card.restored') ORDER BY e.id DESC LIMIT 1), false) AS "saysDeleted"
  FROM cards c WHERE c."publicId" = ANY($1::text[])`;

async function expectAllThere({ workspace, boards, cards, users, deletions }: Scene) {
  const { read } = app().db;
  const rows = await read<{ publicId: string; gone: boolean; saysDeleted: boolean }>(
    statementOf(deletionStates, [cards]),
  );
  expect(rows.map(({ publicId }) => publicId).toSorted()).toEqual(cards.toSorted());
  expect(rows.filter(({ gone, saysDeleted }) => gone !== saysDeleted)).toEqual([]);
  const said = await eventsIn(app(), workspace.publicId, "card.deleted");
  expect(said.length, "a deletion was answered, and not done").toBe(deletions.answered);
  for (const { publicId } of boards) {
    const expected = (await read<{ publicId: string }>(statementOf(shown, [publicId]))).map(
      (row) => row.publicId,
    );
    const seen = await Promise.all(users.map((user) => user.rest.get(`/boards/${publicId}`)));
    for (const { body } of seen)
      expect(Object.values(cardIdsByList(body)).flat()).toEqual(expected);
    const { body: copy } = await workspace.admin.rest.post(
      `/workspaces/${workspace.publicId}/boards`,
      { name: "Copy of the end", sourceBoardPublicId: publicId },
    );
    const titles = (board: { lists: { cards: { title: string }[] }[] }) =>
      board.lists.map((list) => list.cards.map(({ title }) => title));
    expect(titles(copy)).toEqual(titles(seen[0]?.body));
  }
}

test("eight clients at once lose and duplicate no card, give no number twice, and read one order", async () => {
  await checkPlans(app(), plansOf(step, steps), async (url, each) => {
    const here = await scene();
    const statuses = new Set<number>();
    await Promise.all(
      each.map(async (own, n) => {
        const call = clientAt(url, here.users[n]?.token ?? "");
        for (const [at, now] of own.entries()) {
          statuses.add(await act(call, here, now));
          if (at % 10 === 0) {
            const board = here.boards[(at / 10 + n) % 2];
            cardIdsByList((await call("GET", `/boards/${board?.publicId}`)).body);
          }
        }
      }),
    );
    expect([...statuses].filter((status) => ![200, 404, 409].includes(status))).toEqual([]);
    await expectAllThere(here);
    await expectAnnounced(app());
  });
});
