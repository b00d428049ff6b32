import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import fc from "../support/fast-check.ts";
import { listsOverLimit } from "../support/list-limits.ts";
import { join, makeBoard, makeCard, makeWorkspace, type User } from "../support/make.ts";
import { clientAt, type Client } from "./http.ts";
import { checkPlans, plansOf } from "./plans.ts";

const app = useApp({ isolated: true });
const writers = 16;
const steps = 15;
const limit = 4;

const step = fc.record({
  what: fc.constantFrom(
    ...(["create", "create", "move", "move", "bulk move", "batch", "duplicate"] as const),
    ...(["archive", "unarchive", "bulk unarchive", "delete", "delete", "restore"] as const),
    ...(["move all", "archive list", "unarchive list", "delete list", "restore list"] as const),
    ...(["copy", "limit"] as const),
  ),
  card: fc.nat(),
  list: fc.nat(),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Two boards, whose lists block beyond their limits, and a writer for each plan. */
async function scene() {
  const workspace = await makeWorkspace(app());
  const boards: string[] = [];
  const lists: string[] = [];
  const cards: string[] = [];
  for (let n = 0; n < 2; n++) {
    const board = await makeBoard(workspace, { lists: ["One", "Two"], labels: 0 });
    boards.push(board.publicId);
    lists.push(...board.lists);
  }
  for (const list of lists) {
    cards.push(await makeCard(workspace.admin, list), await makeCard(workspace.admin, list));
    await workspace.admin.rest.put(`/lists/${list}`, { wipMode: "block", wipLimit: limit });
  }
  const users: User[] = [];
  for (let n = 0; n < writers; n++) users.push(await join(app(), workspace, "admin"));
  return { workspace, boards, lists, cards, users };
}
type Scene = Awaited<ReturnType<typeof scene>>;

async function act(call: Client, here: Scene, now: Step): Promise<number> {
  const { cards, lists, boards, workspace } = here;
  const id = cards[now.card % cards.length] ?? "";
  const [card, boardPublicId] = [`/cards/${id}`, boards[now.list % boards.length]];
  const listPublicId = lists[now.list % lists.length];
  const list = `/lists/${listPublicId}`;
  const made = async (path: string, body: object) => {
    const response = await call("POST", path, body);
    if (response.status === 200) cards.push(response.body.publicId);
    return response;
  };
  const bulk = async (set: object) => {
    const { body } = await call("GET", card);
    const board = body.boardPublicId ?? boardPublicId;
    return call("POST", `/boards/${board}/cards/bulk`, { cardPublicIds: [id], set });
  };
  const create = { operation: "card.create", input: { title: "Of a batch", listPublicId } };
  const calls = {
    create: () => made("/cards", { title: `Card ${cards.length}`, listPublicId }),
    move: () => call("PUT", card, { listPublicId }),
    "bulk move": () => bulk({ listPublicId }),
    batch: () =>
      call("POST", `/workspaces/${workspace.publicId}/batch`, {
        operations: [create, { ...create }],
      }),
    duplicate: () => made(`${card}/duplicate`, { listPublicId }),
    archive: () => call("PUT", card, { isArchived: true }),
    unarchive: () => call("PUT", card, { isArchived: false, listPublicId }),
    "bulk unarchive": () => bulk({ isArchived: false }),
    delete: () => call("DELETE", card),
    restore: () => call("POST", `${card}/restore`),
    "move all": () =>
      call("POST", `${list}/move-cards`, {
        targetListPublicId: lists[(now.list + 1) % lists.length],
      }),
    "archive list": () => call("PUT", list, { isArchived: true }),
    "unarchive list": () => call("PUT", list, { isArchived: false }),
    "delete list": () => call("DELETE", list),
    "restore list": () => call("POST", `${list}/restore`),
    copy: () =>
      call("POST", `/workspaces/${workspace.publicId}/boards`, {
        name: "A copy",
        sourceBoardPublicId: boardPublicId,
      }),
    // Limits only rise: one that sinks leaves its list as it is.
    limit: () => call("PUT", list, { wipMode: "block", wipLimit: limit + 1 }),
  };
  return (await calls[now.what]()).status;
}

test("sixteen writers on every way into a list never exceed its limit", async () => {
  await checkPlans(app(), plansOf(step, steps, writers), async (url, plans) => {
    const here = await scene();
    const statuses = new Map<number, number>();
    await Promise.all(
      plans.map(async (plan, n) => {
        const call = clientAt(url, here.users[n]?.token ?? "");
        for (const now of plan) {
          const status = await act(call, here, now);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          expect(await listsOverLimit(app())).toEqual([]);
        }
      }),
    );
    expect([...statuses.keys()].filter((one) => ![200, 404, 409].includes(one))).toEqual([]);
    expect(statuses.get(409)).toBeGreaterThan(0);
  });
});
