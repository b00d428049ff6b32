import { Window } from "happy-dom";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type * as React from "react";
import type * as ReactDom from "react-dom/client";
import { dehydrate } from "../../../src/client/server/index.ts";
import type { Store } from "../../../src/client/store/index.ts";
import { useApp } from "../../support/app.ts";
import { join } from "../../support/make.ts";
import { agrees, connect, makeScene, open } from "../store/scene.ts";
import { waitFor } from "../../support/wait.ts";

const app = useApp();
let added: string[] = [];
let react: typeof React;
let dom: typeof ReactDom;
let hooks: typeof import("../../../src/client/react/index.ts");
let window: Window;

// React looks for a document when it is loaded.
beforeAll(async () => {
  window = new Window();
  const { document, navigator } = window;
  const globals = { window, document, navigator, IS_REACT_ACT_ENVIRONMENT: true };
  // Newer versions of Node.js have a navigator.
  added = Object.keys(globals).filter((name) => !(name in globalThis));
  for (const name of added) Reflect.set(globalThis, name, Reflect.get(globals, name));
  react = await import("react");
  dom = await import("react-dom/client");
  hooks = await import("../../../src/client/react/index.ts");
});

afterAll(async () => {
  for (const name of added) Reflect.deleteProperty(globalThis, name);
  await window.happyDOM.close();
});

/** Renders a component in strict mode; `text` is what the page shows. */
async function render(store: Store, component: () => React.ReactNode) {
  const { act, createElement, StrictMode } = react;
  const element = window.document.createElement("div");
  const root = dom.createRoot(element);
  const page = createElement(hooks.StoreProvider, { store }, createElement(component));
  await act(async () => root.render(createElement(StrictMode, null, page)));
  return {
    text: () => element.textContent,
    shows: (text: string) =>
      waitFor(async () => {
        await act(async () => {});
        expect(element.textContent).toBe(text);
      }),
    unmount: () => act(async () => root.unmount()),
  };
}

test("useBoard shows the board with its changes, its connection and its failures", async () => {
  const { admin, board, first, cards } = await makeScene(app());
  const { client, store } = connect(app, admin);
  let renders = 0;
  let hook: ReturnType<typeof hooks.useBoard> | undefined;
  function Page() {
    renders++;
    const found = (hook = hooks.useBoard(board, {
      filter: { field: "text", op: "contains", value: "b" },
    }));
    const { pending, failed } = hooks.useMutationStatus(board);
    const connection = hooks.useConnection();
    if (found.status !== "ready") return found.status;
    const [list] = found.board.lists;
    const titles = list?.cards.map(({ title }) => title).join(",");
    return [titles, list?.cardCount, pending > 0, failed.length, connection].join(" ");
  }
  const page = await render(store, Page);
  expect(page.text()).toBe("loading");
  await page.shows("B 3 false 0 online");
  await react.act(async () => void hook?.cards.create({ list: first, title: "Bb" }));
  await page.shows("B,Bb 4 false 0 online");
  await react.act(async () => void hook?.cards.update(cards[0] ?? "", { title: "" }));
  await page.shows("B,Bb 4 false 1 online");
  await agrees({ client, store }, store.board(board));
  const before = renders;
  await react.act(async () => {});
  expect(renders).toBe(before);
  await page.unmount();
});

test("useFilteredCards shows the cards that pass a filter, in order, and why it is refused", async () => {
  const { admin, board, cards } = await makeScene(app());
  const { client, store } = connect(app, admin);
  const [a = "", b = ""] = cards;
  const field = await client.field.create({ boardPublicId: board, name: "Size", type: "number" });
  const name = `fields.${field.publicId}`;
  function Page() {
    const { status, cards: shown } = hooks.useFilteredCards(
      board,
      {
        or: [
          { field: name, op: "gte", value: 2 },
          { field: "title", op: "is", value: "C" },
        ],
      },
      { sortBy: [{ field: name, order: "desc" }] },
    );
    return [status, ...shown.map(({ title }) => title)].join(" ");
  }
  const page = await render(store, Page);
  expect(page.text()).toBe("loading");
  await page.shows("invalid");
  await client.field.update({ fieldPublicId: field.publicId, isShownOnCard: true });
  await page.shows("ready C");
  const set = (id: string, size: number) =>
    store.board(board).cards.update(id, { fields: { [field.publicId]: size } });
  await react.act(async () => {
    set(a, 2);
    set(b, 3);
  });
  await page.shows("ready B A C");
  await agrees({ client, store }, store.board(board));
  await page.unmount();
});

test("useBoardValue renders only when its value changes", async () => {
  const { admin, board, cards } = await makeScene(app());
  const { client, store } = connect(app, admin);
  let renders = 0;
  const Count = () => {
    renders++;
    return hooks.useBoardValue(board, (found) => found?.lists[0]?.cardCount ?? 0);
  };
  const page = await render(store, Count);
  await page.shows("3");
  const before = renders;
  await react.act(async () => void store.board(board).cards.update(cards[0] ?? "", { title: "X" }));
  await agrees({ client, store }, store.board(board));
  expect(renders).toBe(before);
  await react.act(async () => void store.board(board).cards.archive(cards[0] ?? ""));
  await page.shows("2");
  await page.unmount();
});

test("useBoardValue renders when its values are new objects each time", async () => {
  const { admin, board } = await makeScene(app());
  const { store } = connect(app, admin);
  let renders = 0;
  const Names = () => {
    renders++;
    const names = hooks.useBoardValue(board, (found) => found?.labels.map(({ name }) => name));
    return String(names?.length);
  };
  const page = await render(store, Names);
  await page.shows("2");
  expect(renders).toBeLessThan(20);
  await react.act(async () => void store.board(board).labels.create({ name: "New" }));
  await page.shows("3");
  await page.unmount();
});

test("useCard shows a card with its comments", async () => {
  const { admin, board, cards } = await makeScene(app());
  const { store } = connect(app, admin);
  const [id = ""] = cards;
  function Page() {
    const { card, status } = hooks.useCard(id);
    return card === undefined
      ? status
      : [card.title, ...card.comments.map((one) => one.comment)].join(",");
  }
  const page = await render(store, Page);
  await page.shows("A");
  await react.act(async () => void store.board(board).comments.create(id, "Hello"));
  await page.shows("A,Hello");
  expect(store.mutations().failed).toEqual([]);
  await page.unmount();
});

test("useMembers, useActivity and useSearch follow their workspace, and show pages", async () => {
  const { admin, board, workspace, first } = await makeScene(app());
  const { store } = connect(app, admin);
  let activity: ReturnType<typeof hooks.useActivity> | undefined;
  function Page() {
    const members = hooks.useMembers(workspace.publicId);
    const search = hooks.useSearch(workspace.publicId, "zebra");
    const { data } = (activity = hooks.useActivity(board));
    const found = search.data?.items.map(({ title }) => title).join(",");
    const latest = data?.items[0]?.type;
    return [members.status, members.data?.length, latest, search.status, found].join(" ");
  }
  const page = await render(store, Page);
  expect(page.text()).toBe("loading   loading ");
  await page.shows("ready 1 card.created ready ");
  await admin.rest.post("/cards", { title: "A zebra", listPublicId: first });
  await page.shows("ready 1 card.created ready A zebra");
  const guest = await join(app(), workspace, "guest");
  await page.shows("ready 2 card.created ready A zebra");
  await admin.rest.delete(`/workspaces/${workspace.publicId}/members/${guest.memberPublicId}`);
  await page.shows("ready 1 card.created ready A zebra");
  for (let nth = 0; nth < 60; nth++) {
    await admin.rest.put(`/boards/${board}`, { name: `Board ${nth}` });
  }
  await page.shows("ready 1 board.updated ready A zebra");
  await waitFor(() => expect(activity?.data?.hasMore).toBe(true));
  const before = activity?.data?.items.length ?? 0;
  await react.act(async () => activity?.more());
  expect(activity?.data?.items.length).toBeGreaterThan(before);
  await page.unmount();
});

test("useNotifications and useWorkspaces follow the user", async () => {
  const { workspace, cards } = await makeScene(app());
  const member = await join(app(), workspace, "member");
  const { client, store } = connect(app, member);
  function Page() {
    const { data } = hooks.useNotifications();
    const { data: all } = hooks.useWorkspaces();
    return [data?.items.map(({ isRead }) => isRead).join(","), all?.length].join(" ");
  }
  const page = await render(store, Page);
  expect(page.text()).toBe(" ");
  await page.shows(" 1");
  const { rest } = workspace.admin;
  await rest.put(`/cards/${cards[0]}/members/${member.memberPublicId}`);
  await page.shows("false 1");
  const [notification] = (await client.user.notifications({})).items;
  const { publicId: notificationPublicId = "" } = notification ?? {};
  await client.user.readNotification({ notificationPublicId, read: true });
  await page.shows("true 1");
  await member.rest.post("/workspaces", { name: "Another" });
  await page.shows("true 2");
  await page.unmount();
});

test("the hooks say offline where nothing is stored, and denied for what cannot be seen", async () => {
  const { admin, workspace } = await makeScene(app());
  const other = await makeScene(app());
  const { network, store } = connect(app, admin);
  const Page = () =>
    [workspace, other.workspace].map(({ publicId }) => hooks.useMembers(publicId).status).join(" ");
  network.down();
  const page = await render(store, Page);
  await page.shows("offline offline");
  expect(store.connection()).toBe("offline");
  network.up();
  await page.shows("ready denied");
  await page.unmount();
});

test("without a provider the hooks say what is missing", () => {
  expect(() => hooks.useStore()).toThrow();
});

test("a page that a server has rendered is hydrated without a difference, and follows the board", async () => {
  const { admin, board, cards } = await makeScene(app());
  const mine = connect(app, admin);
  const state = dehydrate({ board: await mine.client.board.get({ boardPublicId: board }) });
  function Page() {
    const { status, board: shown } = hooks.useBoard(board, {
      filter: { field: "text", op: "contains", value: "a" },
    });
    const count = hooks.useBoardValue(board, (found) => found?.lists[0]?.cardCount);
    const { status: card } = hooks.useCard(cards[0] ?? "");
    const { pending } = hooks.useMutationStatus();
    const { status: all } = hooks.useBoards("unknown");
    const titles = shown?.lists[0]?.cards.map(({ title }) => title).join(",");
    return [status, titles, count, card, pending, hooks.useConnection(), all].join(" ");
  }
  const page = (store: Store) =>
    react.createElement(hooks.StoreProvider, { store, state }, react.createElement(Page));
  const server = await import("react-dom/server");
  const html = server.renderToString(page(open(mine.client).store));
  expect(html).toBe("ready A 3 loading 0 connecting loading");

  const element = window.document.createElement("div");
  element.innerHTML = html;
  const faults: unknown[] = [];
  // The store updates components outside of `act`, as it does in a browser.
  const errors = vi.spyOn(console, "error").mockImplementation((message: unknown, ...rest) => {
    if (!String(message).includes("not wrapped in act")) faults.push([message, ...rest]);
  });
  onTestFinished(() => errors.mockRestore());
  // In this tab a change waits to be sent: it shows after the hydration.
  mine.network.down();
  mine.store.board(board).cards.update(cards[0] ?? "", { title: "A changed" });
  const before = mine.network.requests.length;
  const container = element as unknown as Parameters<typeof dom.hydrateRoot>[0];
  const root = await react.act(async () =>
    dom.hydrateRoot(container, page(mine.store), {
      onRecoverableError: (error) => faults.push(error),
    }),
  );
  const shows = (text: string) =>
    waitFor(async () => {
      await react.act(async () => {});
      expect(element.textContent).toContain(text);
    });
  await shows("ready A changed 3");
  mine.network.up();
  await admin.rest.put(`/cards/${cards[1]}`, { title: "Also" });
  await shows("ready A changed,Also 3 ready 0 online");
  expect(faults).toEqual([]);
  const sent = mine.network.requests.slice(before).map(({ url }) => new URL(url).pathname);
  // After the change was accepted, the store may read the board: its event can take long.
  const changed = sent.indexOf("/trpc/card.update");
  expect(changed).toBeGreaterThanOrEqual(0);
  expect(sent.slice(0, changed)).not.toContain("/trpc/board.get");
  await react.act(async () => root.unmount());
});
