import { expect, onTestFinished, test, vi } from "vitest";
import { createClient, type EventOptions } from "../../src/client/index.ts";
import { exclusive } from "../../src/client/session-store.ts";
import { useApp } from "../support/app.ts";
import { makeBoard, makeWorkspace, type User } from "../support/make.ts";
import { waitFor } from "../support/wait.ts";

const app = useApp();
const url = "http://boards.test";

/** A workspace with a board in which lists are made. */
async function makeLog() {
  const workspace = await makeWorkspace(app());
  const { publicId: boardPublicId } = await makeBoard(workspace);
  const create = (name: string) => workspace.admin.rest.post("/lists", { boardPublicId, name });
  return { ...workspace, create };
}
type Log = Awaited<ReturnType<typeof makeLog>>;

/**
 * A tab of a user that follows a workspace, alone or with `isOfUser` with what happens to the user.
 *
 * `isHeldBack`: a proxy holds its streams back.
 */
function openTab(
  { publicId }: Log,
  { token }: User,
  { isOfUser = false, ...options }: EventOptions & { isOfUser?: boolean } = {},
) {
  const requests: string[] = [];
  const tab = { requests, isHeldBack: false, names: [] as string[], state: "", resyncs: 0 };
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const client = createClient({
    url,
    auth: { token },
    retries: 0,
    stream: { shareAcrossTabs: true },
    fetch(address, init) {
      requests.push(address);
      if (tab.isHeldBack && address.includes("/stream")) return Promise.resolve(new Response(null));
      return app().fetch(new Request(address, init));
    },
  });
  const { signal } = stop;
  const onConnection = (state: string) => (tab.state = state);
  const observed = { signal, onConnection, onResync: () => void tab.resyncs++, ...options };
  const follow = async () => {
    const events = isOfUser
      ? client.userEvents({ ...observed, workspaces: [publicId] })
      : client.events(publicId, observed);
    for await (const event of events) {
      if (event.type === "list.created") tab.names.push(event.data.list.name);
    }
  };
  const ended = follow();
  ended.catch(() => undefined);
  return Object.assign(tab, { ended, close: () => stop.abort() });
}
type Tab = ReturnType<typeof openTab>;

const streams = (...tabs: Tab[]) =>
  tabs.flatMap(({ requests }) => requests.filter((one) => one.includes("/stream"))).length;

const areConnected = (...tabs: Tab[]) =>
  waitFor(() => expect(new Set(tabs.map(({ state }) => state))).toEqual(new Set(["live"])));

const haveNames = (names: string[], ...tabs: Tab[]) =>
  waitFor(() => expect(tabs.map((tab) => tab.names)).toEqual(tabs.map(() => names)));

test("tabs share one stream, and another tab leads when the first one ends", async () => {
  const log = await makeLog();
  const tabs = [1, 2, 3].map(() => openTab(log, log.admin));
  const [first, ...others] = tabs;
  await areConnected(...tabs);
  await log.create("One");
  await log.create("Two");
  await haveNames(["One", "Two"], ...tabs);
  expect(streams(...tabs)).toBe(1);

  first?.close();
  await log.create("Three");
  await log.create("Four");
  await haveNames(["One", "Two", "Three", "Four"], ...others);
  expect(streams(...others)).toBe(1);
  expect(first?.names).toEqual(["One", "Two"]);
});

test("a tab that starts at an earlier cursor reads what it has missed", async () => {
  const log = await makeLog();
  const now = await log.admin.rest.get(`/workspaces/${log.publicId}/events?cursor=now`);
  await log.create("One");
  await log.create("Two");
  const leader = openTab(log, log.admin);
  await areConnected(leader);
  const tab = openTab(log, log.admin, { from: now.body.nextCursor });
  await haveNames(["One", "Two"], tab);
  await log.create("Three");
  await haveNames(["One", "Two", "Three"], tab);
  await haveNames(["Three"], leader);
  expect(streams(leader, tab)).toBe(1);
});

test("a tab that has missed messages reads them from the feed", async () => {
  const log = await makeLog();
  const tabs = [openTab(log, log.admin), openTab(log, log.admin)] as const;
  await areConnected(...tabs);
  const post = vi.spyOn(BroadcastChannel.prototype, "postMessage").mockReturnValue();
  await log.create("One");
  await haveNames(["One"], tabs[0]);
  post.mockRestore();
  await log.create("Two");
  await haveNames(["One", "Two"], ...tabs);
  expect(streams(...tabs)).toBe(1);
});

test("where streams are held back, one tab polls for all", async () => {
  const log = await makeLog();
  const leader = openTab(log, log.admin);
  leader.isHeldBack = true;
  const tab = openTab(log, log.admin);
  await waitFor(() => expect([leader.state, tab.state]).toEqual(["polling", "polling"]));
  await log.create("One");
  await log.create("Two");
  await haveNames(["One", "Two"], leader, tab);
  expect(streams(tab)).toBe(0);
  const waits = tab.requests.filter((one) => !one.includes("wait=0"));
  expect(waits).toEqual([]);
});

test("a tab follows by itself while the one that leads is silent", async () => {
  const log = await makeLog();
  const me = await log.admin.rest.get("/users/me");
  const address = `${url}/api/v1/workspaces/${log.publicId}/events?`;
  let thaw = () => {};
  const frozen = new Promise<void>((resolve) => (thaw = resolve));
  void exclusive(`${url} ${me.body.publicId} ${address}`, () => frozen);
  const tab = openTab(log, log.admin);
  expect(streams(tab)).toBe(0);
  await waitFor(() => expect(tab.state).toBe("live"));
  await log.create("One");
  await haveNames(["One"], tab);
  thaw();
});

test("tabs share the stream of their user, and another tab goes on where the first one ends", async () => {
  const log = await makeLog();
  const tabs = [1, 2, 3].map(() => openTab(log, log.admin, { isOfUser: true }));
  const [first, ...others] = tabs;
  await areConnected(...tabs);
  await log.create("One");
  await haveNames(["One"], ...tabs);
  expect(streams(...tabs)).toBe(1);
  first?.close();
  await log.create("Two");
  await haveNames(["One", "Two"], ...others);
  expect(streams(...others)).toBe(1);
  expect(others.map(({ resyncs }) => resyncs)).toEqual([0, 0]);
});

test("a tab that has missed messages of the stream of its user has to read again", async () => {
  const log = await makeLog();
  const tabs = [1, 2].map(() => openTab(log, log.admin, { isOfUser: true }));
  await areConnected(...tabs);
  await log.create("One");
  await haveNames(["One"], ...tabs);
  const post = vi.spyOn(BroadcastChannel.prototype, "postMessage").mockReturnValue();
  await log.create("Two");
  await haveNames(["One", "Two"], ...tabs.slice(0, 1));
  post.mockRestore();
  await log.create("Three");
  await haveNames(["One", "Three"], ...tabs.slice(1));
  expect(tabs.map(({ resyncs }) => resyncs)).toEqual([0, 1]);
});

test("tabs of other users, filters or keys have streams of their own", async () => {
  const log = await makeLog();
  const scope = { name: "Tabs", workspacePublicId: log.publicId };
  const key = await log.admin.rest.post("/auth/api-keys", scope);
  const other = await makeLog();
  const tabs = [
    openTab(log, log.admin),
    openTab(log, log.admin, { types: ["list.created"] }),
    openTab(log, { ...log.admin, token: key.body.key }),
    openTab(other, other.admin),
  ];
  await areConnected(...tabs);
  await log.create("One");
  await haveNames(["One"], ...tabs.slice(0, 3));
  expect(streams(...tabs)).toBe(4);
  expect(tabs[3]?.names).toEqual([]);
});

test("all tabs end with the error when the user loses access", async () => {
  const log = await makeLog();
  const tabs = [openTab(log, log.admin), openTab(log, log.admin)];
  await areConnected(...tabs);
  await log.admin.rest.delete(`/workspaces/${log.publicId}`);
  for (const { ended } of tabs) await expect(ended).rejects.toMatchObject({ status: 404 });
});
