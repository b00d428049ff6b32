import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { follow } from "../../support/feed.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { openStream } from "../../support/stream.ts";

const app = useApp({ isolated: true });

/**
 * Two boards, the second of them restricted, and a member who is not on it; `leave` moves a card
 * there and gives it another title.
 */
async function scene() {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const here = await makeBoard(workspace, { lists: ["Here"] });
  const there = await makeBoard(workspace, { lists: ["Hidden list"] });
  await rest.put(`/boards/${there.publicId}`, { visibility: "restricted", name: "Hidden board" });
  const member = await join(app(), workspace, "member");
  const [list = ""] = here.lists;
  const [target = ""] = there.lists;
  const card = await makeCard(workspace.admin, list, "Plant");
  const { cursor } = await follow(workspace.admin, workspace.publicId);
  const leave = () => rest.put(`/cards/${card}`, { listPublicId: target, title: "Hidden title" });
  const since = async (who: As, query = "") =>
    (await follow(who, workspace.publicId, { cursor, query })).items;
  const left = {
    type: "card.moved",
    boardPublicId: here.publicId,
    data: {
      card: { publicId: card },
      from: { listPublicId: list, boardPublicId: here.publicId, index: 0 },
    },
  };
  return { workspace, here, there, target, list, card, member, cursor, leave, since, left };
}

test("a caller who sees only the old board learns that the card left, but not its target", async () => {
  const { workspace, here, there, target, member, leave, since, left } = await scene();
  await leave();
  const items = await since(member);
  expect(items).toEqual([expect.objectContaining(left)]);
  expect(items[0].data).toEqual(left.data);
  expect(JSON.stringify(items)).not.toMatch(new RegExp(`Hidden|${there.publicId}|${target}`));
  expect(await since(member, `&boardPublicId=${here.publicId}`)).toEqual(items);
  const all = await since(workspace.admin);
  expect(all.at(-1)).toMatchObject({ id: items[0].id, boardPublicId: there.publicId });
  expect(all.at(-1).data).toMatchObject({ to: { listPublicId: target } });
});

test("a stream shows it as the feed does to each listener, live and from a cursor", async () => {
  const { workspace, member, cursor, leave, since } = await scene();
  const path = `/workspaces/${workspace.publicId}/events/stream`;
  const open = (who: As, query = "") => openStream(app(), path + query, { token: who.token });
  const streams = [await open(member), await open(workspace.admin)];
  for (const stream of streams) expect((await stream.next())?.event).toBe("ready");
  await leave();
  const [theirs, ours] = [await since(member), await since(workspace.admin)];
  const received = [await streams[0]?.take(1), await streams[1]?.take(2)];
  expect(received.map((events) => events?.map(({ data }) => data))).toEqual([theirs, ours]);
  const again = await open(member, `?cursor=${cursor}`);
  expect((await again.take(1)).map(({ data }) => data)).toEqual(theirs);
  for (const stream of [...streams, again]) await stream.close();
});

test("a caller who sees neither board, or no cards, does not receive it", async () => {
  const { workspace, here, member, leave, since } = await scene();
  await workspace.admin.rest.put(`/boards/${here.publicId}`, { visibility: "restricted" });
  await leave();
  expect((await since(member)).filter(({ type }) => type === "card.moved")).toEqual([]);
});
