import { IDBKeyRange, indexedDB } from "fake-indexeddb";
import { expect, onTestFinished, test, vi } from "vitest";
import { createClient, newPublicId } from "../../../src/client/index.ts";
import { createSession } from "../../../src/client/store/index.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeWorkspace } from "../../support/make.ts";
import { Network } from "./scene.ts";
import { waitFor } from "../../support/wait.ts";

const app = useApp();
const within = { interval: 20 };

/** A browser: tabs share its storage, and are told what another one stores. */
function openBrowser() {
  const values = new Map<string, string>();
  const listeners = new Set<(event: { key: string }) => void>();
  const unsent: string[] = [];
  let isAsleep = false;
  /** A tab that sleeps is told nothing. */
  const tell = (key: string) => {
    if (isAsleep) return void unsent.push(key);
    queueMicrotask(() => {
      for (const listener of listeners) listener({ key });
    });
  };
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => tell((values.set(key, value), key)),
    removeItem: (key: string) => tell((values.delete(key), key)),
  });
  vi.stubGlobal("addEventListener", (_: string, listener: (event: { key: string }) => void) =>
    listeners.add(listener),
  );
  vi.stubGlobal("indexedDB", indexedDB);
  vi.stubGlobal("IDBKeyRange", IDBKeyRange);
  onTestFinished(() => void vi.unstubAllGlobals());
  return {
    sleep: () => void (isAsleep = true),
    wake() {
      isAsleep = false;
      for (const key of unsent.splice(0)) tell(key);
    },
    tab() {
      const network = new Network(app);
      const client = createClient({
        url: "http://boards.test",
        auth: { storage: "local" },
        retries: 0,
        fetch: network.fetch,
      });
      const session = createSession(client);
      onTestFinished(() => session.get().store?.close());
      const shows = (status: string, email?: string) =>
        waitFor(() => {
          const { user } = session.get();
          expect([session.get().status, user?.email]).toEqual([status, email]);
        }, within);
      return { network, client, session, shows };
    },
  };
}

const password = "a password for tests";

/** A workspace with a board that two users see. */
async function shared() {
  const workspace = await makeWorkspace(app());
  const { publicId: board, lists } = await makeBoard(workspace);
  const other = await join(app(), workspace, "member");
  return { board, list: lists[0] ?? "", ada: workspace.admin, bob: other, admin: workspace.admin };
}

test("a sign-in, another account and a sign-out in one tab are followed by the other", async () => {
  const { ada, bob } = await shared();
  const browser = openBrowser();
  const [first, second] = [browser.tab(), browser.tab()];
  await Promise.all([first.shows("signed-out"), second.shows("signed-out")]);
  await first.session.signIn({ email: ada.email, password });
  await second.shows("signed-in", ada.email);
  await second.session.signIn({ email: bob.email, password });
  await first.shows("signed-in", bob.email);
  expect((await first.client.user.me()).email).toBe(bob.email);
  await first.session.signOut();
  await second.shows("signed-out");
  const email = `new-${newPublicId()}@example.com`;
  await second.session.register({ email, password, name: "New" });
  await first.shows("signed-in", email);
});

test("a tab sends nothing of its user as another one, and sends it after the next sign-in", async () => {
  const { ada, bob, board, list, admin } = await shared();
  const browser = openBrowser();
  const [first, second] = [browser.tab(), browser.tab()];
  await first.session.signIn({ email: ada.email, password });
  await second.shows("signed-in", ada.email);
  const adas = first.session.get().store?.board(board);
  adas?.open();
  await adas?.ready();
  first.network.down();
  // The first tab sleeps: it is not told that another user signs in, and has something to send.
  browser.sleep();
  await second.session.signIn({ email: bob.email, password });
  const from = first.network.requests.length;
  first.network.up();
  adas?.cards.create({ list, title: "Of Ada" });
  await expect(first.client.user.me()).rejects.toMatchObject({ code: "NETWORK_ERROR" });
  await waitFor(() => expect(first.session.get().store?.connection()).toBe("offline"), within);
  expect(first.network.requests.slice(from)).toEqual([]);
  // A sign-out there does not end the session of the other user.
  await first.session.signOut();
  expect((await second.client.user.me()).email).toBe(bob.email);
  browser.wake();
  await first.shows("signed-in", bob.email);
  expect(first.session.get().store?.mutations().pending).toEqual([]);

  await first.session.signIn({ email: ada.email, password });
  await second.shows("signed-in", ada.email);
  await waitFor(async () => {
    const { body } = await admin.rest.get(`/boards/${board}/cards`);
    expect(body.items).toMatchObject([{ title: "Of Ada" }]);
  }, within);
  const { body } = await admin.rest.get(`/boards/${board}/activities`);
  expect(body.items[0]).toMatchObject({ type: "card.created" });
  expect(JSON.stringify(body.items[0])).not.toContain(bob.publicId);
});
