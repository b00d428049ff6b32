import { expect, test } from "vitest";
import { useApp, type App } from "../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace, type User } from "../support/make.ts";
import { clientAt, deadlocks, listenOnce, type Client } from "./http.ts";
import { expectAnnounced, expectSound, cardIdsByList } from "./invariants.ts";
import { lengthenPosition } from "./rows.ts";

const app = useApp({ isolated: true });
/** The whole of it: LOAD_SECONDS=10. */
const seconds = Number(process.env["LOAD_SECONDS"] ?? 3);
const timeout = seconds * 1_000 + 60_000;

/** Lets clients act until the time is over; answers how often each status came. */
async function load(
  running: App,
  users: User[],
  act: (call: Client, n: number) => Promise<number>,
) {
  const url = await listenOnce(running);
  const counts: Record<number, number> = {};
  const until = performance.now() + seconds * 1_000;
  await Promise.all(
    users.map(async ({ token }, n) => {
      const call = clientAt(url, token);
      for (let turn = n; performance.now() < until; turn += 7) {
        const status = await act(call, turn);
        counts[status] = (counts[status] ?? 0) + 1;
      }
    }),
  );
  return counts;
}

test(
  "32 clients moving the same 20 cards between two lists meet no failure and no deadlock",
  { timeout },
  async () => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace, { lists: ["One", "Two"] });
    const cards: string[] = [];
    for (let n = 0; n < 20; n++)
      cards.push(await makeCard(workspace.admin, board.lists[n % 2] ?? ""));
    const four: User[] = [];
    for (let n = 0; n < 4; n++) four.push(await join(app(), workspace, "member"));
    const users = Array.from({ length: 8 }, () => four).flat();
    const before = await deadlocks(app());

    const counts = await load(app(), users, async (call, turn) => {
      const anchor = { afterCardPublicId: cards[(turn * 13 + 1) % 20] };
      const { status } = await call("PUT", `/cards/${cards[turn % 20]}`, {
        listPublicId: board.lists[Math.floor(turn / 3) % 2],
        ...(turn % 5 === 0 ? anchor : { index: turn % 11 }),
      });
      return status;
    });

    const moves = counts[200] ?? 0;
    if (process.env["LOAD_SECONDS"] !== undefined) {
      process.stdout.write(`${Math.round(moves / seconds)} moves/s: ${JSON.stringify(counts)}\n`);
    }
    expect(Object.keys(counts).filter((status) => !["200", "409", "412"].includes(status))).toEqual(
      [],
    );
    expect(moves).toBeGreaterThan(0);
    const { body } = await workspace.admin.rest.get(`/boards/${board.publicId}`);
    expect(Object.values(cardIdsByList(body)).flat().toSorted()).toEqual(cards.toSorted());
    await expectSound(app());
    await expectAnnounced(app());
    expect(await deadlocks(app())).toBe(before);
  },
);

test(
  "keys that grow long under the hands of 8 clients are made anew without a deadlock",
  { timeout },
  async () => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace, { lists: ["One", "Two"] });
    const [list = "", other = ""] = board.lists;
    const anchor = await makeCard(workspace.admin, list);
    const cards: string[] = [];
    for (let n = 0; n < 16; n++) cards.push(await makeCard(workspace.admin, n % 2 ? list : other));
    const user = await join(app(), workspace, "member");
    const before = await deadlocks(app());

    const counts = await load(
      app(),
      Array.from({ length: 8 }, () => user),
      async (call, turn) => {
        // Now and then the anchor's key grows, as a long history would have it.
        if (turn % 9 === 0) await lengthenPosition(app(), anchor);
        const to =
          turn % 3 === 0
            ? { listPublicId: other, index: 0 }
            : { listPublicId: list, afterCardPublicId: anchor };
        return (await call("PUT", `/cards/${cards[turn % 16]}`, to)).status;
      },
    );

    expect(Object.keys(counts)).toEqual(["200"]);
    const { body } = await workspace.admin.rest.get(`/boards/${board.publicId}`);
    expect(Object.values(cardIdsByList(body)).flat().toSorted()).toEqual(
      [anchor, ...cards].toSorted(),
    );
    await expectSound(app());
    await expectAnnounced(app());
    expect(await deadlocks(app())).toBe(before);
  },
);
