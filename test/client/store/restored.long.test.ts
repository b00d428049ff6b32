import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { createClient, type Client } from "../../../src/client/index.ts";
import { memoryPersistence, type Store } from "../../../src/client/store/index.ts";
import { copy, scene, start } from "../../kernel/events/log-service.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { open } from "./scene.ts";
import { waitFor } from "../../support/wait.ts";

const within = { interval: 100 };

/** Waits until a store shows what the service has: its boards, and a card with its comments. */
const equals = ({ client, store }: { client: Client; store: Store }, ids: Ids) =>
  waitFor(async () => {
    const { cursor: _, ...board } = await client.board.get({ boardPublicId: ids.board });
    expect(store.board(ids.board).get().board).toEqual(board);
    const { items } = await client.comment.list({ cardPublicId: ids.card });
    expect(store.card(ids.card).get().card?.comments).toEqual(items);
    expect(store.mutations()).toEqual({ pending: [], failed: [] });
  }, within);
type Ids = { workspace: string; board: string; card: string };

test("after a restored backup, open stores and stored copies show what the service has", async () => {
  const dataDir = await temporaryDirectory();
  const backup = `${await temporaryDirectory()}/backup`;
  let service = await start(dataDir);
  await scene(() => service.url);
  const client = createClient({
    url: "http://boards.test",
    auth: { storage: "memory" },
    fetch: (url, init) => fetch(url.replace("http://boards.test", service.url), init),
  });
  await client.account.signIn({ email: "ann@example.com", password: "a password for tests" });
  const workspace = (await client.workspace.list())[0]?.workspace.publicId ?? "";
  const { items } = await client.board.list({ workspacePublicId: workspace });
  const board = items[0]?.publicId ?? "";
  const list = (await client.board.get({ boardPublicId: board })).lists[0]?.publicId ?? "";
  const { publicId: card } = await client.card.create({ title: "A", listPublicId: list });
  const ids = { workspace, board, card };
  const outbox = memoryPersistence();
  const follow = () => {
    const { store } = open(client, { outbox });
    store.openWorkspace(workspace);
    store.card(card).subscribe(() => undefined);
    return { client, store };
  };
  const tab = follow();
  await equals(tab, ids);

  await service.stop();
  copy(dataDir, backup);
  service = await start(dataDir);
  const { cards, comments } = tab.store.board(board);
  for (const title of ["Lost 1", "Lost 2", "Lost 3"]) cards.create({ list, title });
  comments.create(card, "Lost");
  await equals(tab, ids);
  expect(tab.store.board(board).get().board?.lists[0]?.cards).toHaveLength(4);
  // The cursor of the workspace is stored too.
  const isSaved = async () => (await outbox.entries(`live/workspace/${workspace}`)).length > 0;
  await expect.poll(isSaved).toBe(true);
  const before = await Promise.all(["board/", "live/"].map((prefix) => outbox.entries(prefix)));
  await service.stop();
  await rm(dataDir, { recursive: true });
  copy(backup, dataDir);
  service = await start(dataDir);
  await equals(tab, ids);
  expect(tab.store.board(board).get().board?.lists[0]?.cards).toHaveLength(1);

  // A page that was closed before the restore starts with the copies of the lost log.
  tab.store.close();
  for (const [name, value] of before.flat()) await outbox.set(name, value);
  const later = follow();
  await equals(later, ids);
  later.store.board(board).cards.create({ list, title: "New" });
  await equals(later, ids);
  expect(later.store.board(board).get().board?.lists[0]?.cards).toHaveLength(2);
});
