import { expect, test } from "vitest";
import { createClient } from "../../../src/client/index.ts";
import { useApp } from "../../support/app.ts";
import { restoreUserLog } from "../../support/faults.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { openStream, type Stream } from "../../support/stream.ts";

const app = useApp({ isolated: true });
const path = "/users/me/events/stream";

async function scene() {
  const first = await makeWorkspace(app());
  const second = await makeWorkspace(app());
  const member = await join(app(), first, "member");
  const board = await makeBoard(first, { lists: ["To do"] });
  const open = async (query = "", token = member.token) => {
    const stream = await openStream(app(), path + query, { token });
    expect((await stream.next())?.event).toBe("ready");
    return stream;
  };
  return { first, second, member, board, open };
}

const types = async (stream: Stream, count: number) =>
  (await stream.take(count)).map(({ event }) => event);

test("shows notifications, favourites and reads to all streams of the user, and to no others", async () => {
  const { first, member, board, open } = await scene();
  const [one, other, admin] = [await open(), await open(), await open("", first.admin.token)];
  const card = await makeCard(first.admin, board.lists[0] ?? "", "Plant");
  await first.admin.rest.put(`/cards/${card}/members/${member.memberPublicId}`);
  await member.rest.put(`/boards/${board.publicId}/favourite`, { favourite: true });
  await member.rest.put(`/boards/${board.publicId}/favourite`, { favourite: true });
  const [created] = await one.take(1);
  const publicId: string = created?.data.data.notification.publicId;
  expect(created?.data.data.notification).toMatchObject({
    type: "assigned",
    card: { title: "Plant" },
  });
  const notification = `/users/me/notifications/${publicId}`;
  // A call that changes nothing has no event.
  for (const read of [false, true, true, false]) await member.rest.put(notification, { read });
  for (let n = 0; n < 2; n++) await member.rest.post("/users/me/notifications/read", {});
  await member.rest.put(`/boards/${board.publicId}/favourite`, { favourite: false });
  const read = ["notification.read", "notification.read", "notification.all_read"];
  const rest = ["favourite.added", ...read, "favourite.removed"];
  expect(await types(one, 5)).toEqual(rest);
  expect(await types(other, 6)).toEqual(["notification.created", ...rest]);
  await first.admin.rest.put(`/boards/${board.publicId}/favourite`, { favourite: true });
  expect(await types(admin, 1)).toEqual(["favourite.added"]);
  await Promise.all([one, other, admin].map((stream) => stream.close()));
});

test("has the events of workspaces as their streams have them, and resumes in all logs", async () => {
  const { first, second, member, board, open } = await scene();
  await second.admin.rest.post(`/workspaces/${second.publicId}/members/invite`, {
    email: member.email,
    role: "member",
  });
  const query = `?workspaces=${first.publicId}`;
  const stream = await open(query);
  await first.admin.rest.post("/lists", { boardPublicId: board.publicId, name: "One" });
  await member.rest.put(`/boards/${board.publicId}/favourite`, { favourite: true });
  const seen = await stream.take(2);
  expect(seen.map(({ event }) => event).toSorted()).toEqual(["favourite.added", "list.created"]);
  const cursor = encodeURIComponent(seen.at(-1)?.id ?? "");
  await stream.close();
  await first.admin.rest.post("/lists", { boardPublicId: board.publicId, name: "Two" });
  await member.rest.put(`/boards/${board.publicId}/favourite`, { favourite: false });
  const again = await open(`${query}&cursor=${cursor}`);
  const later = await again.take(2);
  expect(later.map(({ event }) => event).toSorted()).toEqual(["favourite.removed", "list.created"]);
  const created = later.find(({ event }) => event === "list.created");
  const plain = await openStream(
    app(),
    `/workspaces/${first.publicId}/events/stream?types=list.created`,
    { token: member.token },
  );
  await plain.next();
  await first.admin.rest.post("/lists", { boardPublicId: board.publicId, name: "Three" });
  const [event] = await plain.take(1);
  expect((await again.take(1))[0]?.data).toEqual(event?.data);
  expect(created?.data.data.list.name).toBe("Two");
  await Promise.all([again.close(), plain.close()]);
});

test("says where an event is in the log of its workspace, as cursors of boards and writes do", async () => {
  const { first, board, open } = await scene();
  const orderOf = (cursor: string | null = "") => cursor?.split(".").at(-1);
  const stream = await open(`?workspaces=${first.publicId}`);
  const add = async (name: string) => {
    const list = { boardPublicId: board.publicId, name };
    const { headers } = await first.admin.rest.post("/lists", list);
    return orderOf(headers.get("feed-cursor"));
  };
  const before = await add("One");
  const { body } = await first.admin.rest.get(`/boards/${board.publicId}`);
  const after = await add("Two");
  const orders = (await stream.take(2)).map(({ data }) => data.order);
  expect(orders).toEqual([before, after]);
  const shown = orderOf(body.cursor) ?? "";
  expect(orders.map((order: string) => order > shown)).toEqual([false, true]);
  await stream.close();
});

test("shows lost and gained access of all workspaces, and ends only the workspace that was left", async () => {
  const { first, member, board, open } = await scene();
  const own = await makeWorkspace(app(), member);
  const stream = await open(`?workspaces=${first.publicId},${own.publicId}`);
  await first.admin.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
  const [lost] = await stream.take(1);
  expect(lost?.data).toMatchObject({
    type: "access.lost",
    data: { workspacePublicId: first.publicId, boardPublicId: board.publicId },
  });
  await first.admin.rest.delete(`/workspaces/${first.publicId}/members/${member.memberPublicId}`);
  const after = await stream.take(2);
  expect(after.map(({ event }) => event).toSorted()).toEqual(["ended", "workspace.left"]);
  await makeBoard(own);
  expect(await types(stream, 1)).toEqual(["board.created"]);
  await stream.close();
});

test("shows workspaces that the user creates, and that are deleted or restored, to all members", async () => {
  const { first, member, open } = await scene();
  const stream = await open(`?workspaces=${first.publicId}`);
  const admin = await open("", first.admin.token);
  const home = `/workspaces/${first.publicId}`;
  await first.admin.rest.delete(home);
  const left = ["ended", "workspace.deleted", "workspace.left"];
  expect((await types(stream, 3)).toSorted()).toEqual(left);
  expect((await first.admin.rest.post(`${home}/restore`)).status).toBe(200);
  const own = await makeWorkspace(app(), member);
  const joined = await stream.take(2);
  expect(joined.map(({ data }) => [data.type, data.data.workspacePublicId])).toEqual([
    ["workspace.joined", first.publicId],
    ["workspace.joined", own.publicId],
  ]);
  expect(await types(admin, 2)).toEqual(["workspace.left", "workspace.joined"]);
  await Promise.all([stream, admin].map((one) => one.close()));
});

test("refuses workspaces as their streams do, counts each for the limit, and takes tickets", async () => {
  const { first, second, member, open } = await scene();
  const status = async (query: string) =>
    (await openStream(app(), path + query, { token: member.token })).status;
  expect(await status(`?workspaces=${second.publicId}`)).toBe(403);
  expect(await status("?workspaces=aaaaaaaaaaaa")).toBe(404);
  expect(await status("?cursor=other")).toBe(400);
  const { body } = await member.rest.post("/auth/stream-ticket");
  const byTicket = await openStream(app(), `${path}?ticket=${body.ticket}`);
  expect((await byTicket.next())?.event).toBe("ready");
  await byTicket.close();
  const limit = app().deps.config.STREAM_LIMIT;
  const streams: Stream[] = [];
  for (let count = 0; count < limit; count++) streams.push(await open());
  expect(await status(`?workspaces=${first.publicId}`)).toBe(429);
  await Promise.all(streams.map((stream) => stream.close()));
});

test("the client follows it, and its types narrow", async () => {
  const { first, member, board } = await scene();
  const client = createClient({
    url: "http://boards.test",
    auth: { token: member.token },
    fetch: (address, init) => app().fetch(new Request(address, init)),
  });
  const stop = new AbortController();
  const write = () =>
    void first.admin.rest.post("/lists", { boardPublicId: board.publicId, name: "Live" });
  for await (const event of client.userEvents({
    workspaces: [first.publicId],
    signal: stop.signal,
    onConnection: (state) => void (state === "live" && write()),
  })) {
    if (event.type === "notification.created") expect(event.data.notification.type).toBe("x");
    if (event.type !== "list.created") continue;
    expect([event.data.list.name, event.data.to.index]).toEqual(["Live", 1]);
    break;
  }
  stop.abort();
});

test("after a restored backup, a cursor of a lost event is refused and open streams end", async () => {
  const { member, board, open } = await scene();
  const stream = await open();
  const favour = (favourite: boolean) =>
    member.rest.put(`/boards/${board.publicId}/favourite`, { favourite });
  await favour(true);
  await favour(false);
  const [first, lost] = await stream.take(2);
  await restoreUserLog(app(), member.publicId, 1);
  // The number of the lost event is given again.
  await favour(true);
  const ended = (await stream.rest()).map(({ event }) => event);
  expect(ended.filter((event) => event.startsWith("favourite."))).toEqual([]);
  const resume = (cursor = "") => member.rest.get(`${path}?cursor=${encodeURIComponent(cursor)}`);
  const { status, body } = await resume(lost?.id);
  expect([status, body.issues[0].code]).toEqual([400, "cursor_ahead"]);
  const again = await open(`?cursor=${encodeURIComponent(first?.id ?? "")}`);
  expect(await types(again, 1)).toEqual(["favourite.added"]);
  await again.close();
});
