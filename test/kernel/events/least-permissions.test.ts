import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { follow } from "../../support/feed.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { openStream } from "../../support/stream.ts";

const app = useApp();

/** A workspace with a member who lacks a permission, and with that member's stream. */
async function sceneWithout(permission: string) {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const board = await makeBoard(workspace);
  const reader = await join(app(), workspace, "member");
  const path = `/workspaces/${publicId}/members/${reader.memberPublicId}/permissions/revoke`;
  expect((await admin.rest.post(path, { permission })).status).toBe(200);
  const { cursor } = await follow(admin, publicId);
  const at = `/workspaces/${publicId}/events/stream?cursor=${encodeURIComponent(cursor)}`;
  /** What the reader gets, in feed, stream and the history of the board, with an event after it. */
  const readAll = async () => {
    await admin.rest.put(`/boards/${board.publicId}`, { name: "The last event" });
    const { items } = await follow(reader, publicId, { cursor });
    const stream = await openStream(app(), at, { token: reader.token });
    expect((await stream.next())?.event).toBe("ready");
    const streamed = (await stream.take(items.length)).map(({ data }) => data);
    await stream.close();
    expect(streamed).toEqual(items);
    const { status, body } = await reader.rest.get(`/boards/${board.publicId}/activities`);
    expect(status).toBe(200);
    return { items, text: JSON.stringify([items, streamed, body]) };
  };
  return { workspace, admin, board, readAll };
}

test("without card:view a sorted list names no cards", async () => {
  const { admin, board, readAll } = await sceneWithout("card:view");
  const [list = ""] = board.lists;
  const cards = [await makeCard(admin, list, "B"), await makeCard(admin, list, "A")];
  expect((await admin.rest.post(`/lists/${list}/sort`, { by: "title" })).status).toBe(200);
  const { items, text } = await readAll();
  expect(items.map(({ type }) => type)).toEqual(["list.sorted", "board.updated"]);
  for (const card of cards) expect(text).not.toContain(card);
});

test("without member:view the members of a board are not shown, also when they change", async () => {
  const { workspace, admin, board, readAll } = await sceneWithout("member:view");
  const { memberPublicId } = await join(app(), workspace, "member");
  const path = `/boards/${board.publicId}/members/${memberPublicId}`;
  expect((await admin.rest.put(path)).status).toBe(200);
  expect((await admin.rest.delete(path)).status).toBe(200);
  const { items } = await readAll();
  expect(items.map(({ type }) => type)).toEqual(["member.joined", "board.updated"]);
});
