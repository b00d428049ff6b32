import { expect, onTestFinished, test } from "vitest";
import { useApp } from "../support/app.ts";
import { cardIdsByList } from "./invariants.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../support/make.ts";

const app = useApp();
const writers = 32;
const cardCount = 24;
const reads = 10;

test(`board.get and the snapshot show each card once while ${writers} writers move cards`, async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const { publicId: board, lists } = await makeBoard(workspace);
  const cards: string[] = [];
  for (let nth = 0; nth < cardCount; nth++)
    cards.push(await makeCard(admin, lists[nth % lists.length] ?? ""));
  // The writers use up their own share of the connections.
  const reader = await join(app(), workspace, "admin");
  let isDone = false;
  const write = async (nth: number) => {
    for (let turn = nth; !isDone; turn++) {
      const path = `/cards/${cards[turn % cardCount]}`;
      const to = { listPublicId: lists[(turn * 7) % lists.length], index: turn % 3 };
      expect([200, 503]).toContain((await admin.rest.put(path, to)).status);
    }
  };
  const writing = Promise.all(Array.from({ length: writers }, (_, nth) => write(nth)));
  onTestFinished(async () => {
    isDone = true;
    await writing.catch(() => undefined);
  });
  let complete = 0;
  const all = cards.toSorted();
  // Under load some reads are refused.
  while (complete < reads) {
    const { status, body } = await reader.rest.get(`/boards/${board}`);
    if (status === 503) continue;
    expect(Object.values(cardIdsByList(body)).flat().toSorted()).toEqual(all);
    const response = await app().fetch(
      new Request(`http://service/api/v1/workspaces/${publicId}/snapshot`, {
        headers: { Authorization: `Bearer ${reader.token}` },
      }),
    );
    if (response.status === 503) continue;
    expect(response.status).toBe(200);
    complete++;
    const lines = (await response.text()).trim().split("\n");
    const shown = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === "card");
    expect(shown.map((card) => card.publicId).toSorted()).toEqual(all);
    const positions = shown.map(({ listPublicId, index }) => `${listPublicId} ${index}`);
    expect(new Set(positions).size).toBe(cardCount);
  }
  isDone = true;
  await writing;
});
