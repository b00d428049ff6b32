import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connections, type Call } from "../load.ts";
import type { Round } from "../measure.ts";
import type { Peer } from "../peers.ts";

/** The cases on PocketBase, whose program `POCKETBASE` names: README.md in this folder. */
const program = process.env["POCKETBASE"];
if (program === undefined) throw new Error("Set POCKETBASE to the program of PocketBase.");
/** Whether a commit waits for the disk, as those of this service do. */
const isDurable = process.env["POCKETBASE_SYNCHRONOUS"] === "FULL";

const password = "a password for the bench";
const email = "bench@example.com";
const records = "/api/collections";
const origin = await startPocketBase(program);
const admin = await signIn("_superusers");
await createSchema();
await call("POST", `${records}/users/records`, { email, password, passwordConfirm: password });
const user = await signIn("users");

/** How each case is said there. A case that is not here has no counterpart. */
const rounds: Record<string, () => Promise<Round>> = {
  health: async () => always({ method: "GET", path: "/api/health" }),
  "workspace.list": async () => {
    for (const name of ["One", "Two", "Three"]) await createWorkspace(name);
    return always({ method: "GET", path: `${records}/workspaces/records?skipTotal=1` });
  },
  "card.get": async () => {
    const { cards } = await createCards(20);
    const expand = "labels,members,checklists_via_card.items_via_checklist,list,board";
    return always({ method: "GET", path: `${records}/cards/records/${cards[0]}?expand=${expand}` });
  },
  "board.get (500 cards)": async () => {
    const { board } = await createCards(500);
    const query = new URLSearchParams({
      filter: `board="${board}"`,
      sort: "list.position,position",
      expand: "list,labels,members,checklists_via_card.items_via_checklist",
      perPage: "500",
      skipTotal: "1",
    });
    return always({ method: "GET", path: `${records}/cards/records?${query.toString()}` });
  },
  "card.create": async () => {
    const boards = [];
    for (let index = 0; index < connections; index++) boards.push(await createLists(1));
    return creating(boards);
  },
  "card.create (one list)": async () => creating([await createLists(1)]),
  "card.move": async () => {
    const moves: { path: string; lists: string[]; turn: number }[] = [];
    for (let index = 0; index < connections; index++) {
      const { board, lists } = await createLists(2);
      const cards: string[] = [];
      for (let position = 0; position < 40; position++) {
        const card = { board, list: lists[position % 2], position, title: `Card ${position}` };
        cards.push((await create("cards", card)).id);
      }
      moves.push({ path: `${records}/cards/records/${cards[0]}`, lists, turn: 0 });
    }
    return () => (connection) => {
      const move = moves[connection];
      if (move === undefined) throw new Error("More connections than moves.");
      // Between the tenth card and the next one.
      const body = { list: move.lists[++move.turn % 2], position: 19.5 };
      return { method: "PATCH", path: move.path, body: JSON.stringify(body) };
    };
  },
  "card.toggleLabel": async () => {
    const { cards } = await createCards(connections);
    const { labels } = await call("GET", `${records}/cards/records/${cards[0]}`);
    const turns = cards.map(() => 0);
    return () => (connection) => {
      turns[connection] = (turns[connection] ?? 0) + 1;
      const name = turns[connection] % 2 === 0 ? "labels-" : "labels+";
      return {
        method: "PATCH",
        path: `${records}/cards/records/${cards[connection]}`,
        body: JSON.stringify({ [name]: labels[0] }),
      };
    };
  },
  "comment.create": async () => {
    const { cards } = await createCards(connections);
    const comment = "A comment of the usual length, on one line.";
    return () => (connection) => ({
      method: "POST",
      path: `${records}/comments/records`,
      body: JSON.stringify({ card: cards[connection], author: user.id, comment }),
    });
  },
  "workspace.search (3,000 cards)": async () => {
    const { board } = await createCards(3_000);
    const query = new URLSearchParams({
      filter: `board="${board}" && (title~"what is" || description~"what is")`,
      perPage: "20",
      skipTotal: "1",
    });
    return always({ method: "GET", path: `${records}/cards/records?${query.toString()}` });
  },
};

export default [
  {
    name: isDurable ? "PocketBase (FULL)" : "PocketBase",
    origin,
    token: user.token,
    prepare: async (name) => rounds[name]?.(),
  } satisfies Peer,
];

const always =
  (one: Call): Round =>
  () =>
  () =>
    one;

/** Creates cards, on each connection in the next of the lists. */
function creating(boards: { board: string; lists: string[] }[]): Round {
  const bodies = Array.from({ length: connections }, (_, connection) => {
    const { board, lists } = boards[connection % boards.length] ?? { board: "", lists: [] };
    const title = "A new card, with a title of the usual length";
    const description = "And a sentence about it.";
    return JSON.stringify({ board, list: lists[0], position: connection, title, description });
  });
  return () => (connection) => ({
    method: "POST",
    path: `${records}/cards/records`,
    body: bodies[connection] ?? "",
  });
}

/** Starts the program on a new directory, which goes with this process. */
async function startPocketBase(file: string): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), "pocketbase-"));
  // It writes migrations beside the directory of its data.
  const data = join(home, "data");
  const made = spawnSync(file, ["superuser", "upsert", email, password, "--dir", data]);
  if (made.status !== 0) throw new Error(`${file}: ${made.stderr.toString()}`);
  const address = `127.0.0.1:${await freePort()}`;
  const hooks = join(home, "hooks");
  if (isDurable) writeHook(hooks);
  const where = ["--http", address, "--dir", data, "--hooksDir", hooks];
  const child = spawn(file, ["serve", ...where], { stdio: "ignore" });
  process.once("exit", () => {
    child.kill();
    rmSync(home, { recursive: true, force: true });
  });
  child.unref();
  for (;;) {
    const response = await fetch(`http://${address}/api/health`).catch(() => undefined);
    if (response?.ok === true) return `http://${address}`;
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A hook that sets the only connection that writes, and ends the program if that has no effect. */
function writeHook(folder: string): void {
  mkdirSync(folder);
  const text = `onServe((e) => {
    const set = new DynamicModel({ synchronous: 0 });
    $app.nonconcurrentDB().newQuery("PRAGMA synchronous = FULL").execute();
    $app.nonconcurrentDB().newQuery("PRAGMA synchronous").one(set);
    if (set.synchronous !== 2) throw new Error("Commits do not wait.");
    e.next();
  });`;
  writeFileSync(join(folder, "durable.pb.js"), text);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("There is no port.");
  return address.port;
}

async function signIn(collection: string): Promise<{ token: string; id: string }> {
  const body = { identity: email, password };
  const { token, record } = await call("POST", `${records}/${collection}/auth-with-password`, body);
  return { token, id: record.id };
}

async function call(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      ...(path.endsWith("password") ? {} : { authorization: admin.token }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** The tables of a board, each readable and writable by the members of its workspace alone. */
async function createSchema(): Promise<void> {
  const ids = new Map<string, string>([["users", "_pb_users_auth_"]]);
  const text = (name: string) => ({ name, type: "text" });
  const number = (name: string) => ({ name, type: "number" });
  const to = (collection: string, name = collection, maxSelect = 1) => ({
    name,
    type: "relation",
    collectionId: ids.get(collection),
    cascadeDelete: maxSelect === 1,
    maxSelect,
  });
  const times = [
    { name: "created", type: "autodate", onCreate: true },
    { name: "updated", type: "autodate", onCreate: true, onUpdate: true },
  ];
  const create = async (name: string, way: string, fields: object[], indexes: string[] = []) => {
    const rule = `${way}members_via_workspace.user ?= @request.auth.id`;
    const rules = { listRule: rule, viewRule: rule, createRule: rule, updateRule: rule };
    const body = { name, type: "base", fields: [...fields, ...times], indexes };
    const { id } = await call("POST", records, body);
    ids.set(name, id);
    return { id, rules };
  };
  const index = (table: string, ...columns: string[]) =>
    `CREATE INDEX \`${table}_${columns.join("_")}\` ON \`${table}\` (${columns.join(", ")})`;
  const made = [
    await create("workspaces", "", [text("name")]),
    await create(
      "members",
      "workspace.",
      [to("workspaces", "workspace"), to("users", "user"), text("role")],
      [index("members", "workspace", "user")],
    ),
    await create("boards", "workspace.", [to("workspaces", "workspace"), text("name")]),
    await create(
      "lists",
      "board.workspace.",
      [to("boards", "board"), text("name"), number("position")],
      [index("lists", "board", "position")],
    ),
    await create("labels", "board.workspace.", [to("boards", "board"), text("name")]),
    await create(
      "cards",
      "board.workspace.",
      [
        to("boards", "board"),
        to("lists", "list"),
        text("title"),
        text("description"),
        number("position"),
        { name: "dueDate", type: "date" },
        to("labels", "labels", 20),
        to("users", "members", 20),
      ],
      [index("cards", "list", "position"), index("cards", "board")],
    ),
    await create(
      "checklists",
      "card.board.workspace.",
      [to("cards", "card"), text("name")],
      [index("checklists", "card")],
    ),
    await create(
      "items",
      "checklist.card.board.workspace.",
      [to("checklists", "checklist"), text("title"), { name: "isComplete", type: "bool" }],
      [index("items", "checklist")],
    ),
    await create(
      "comments",
      "card.board.workspace.",
      [to("cards", "card"), to("users", "author"), text("comment")],
      [index("comments", "card")],
    ),
  ];
  // The rules name the members, whose table has to be there.
  for (const { id, rules } of made) await call("PATCH", `${records}/${id}`, rules);
}

const create = (collection: string, fields: object) =>
  call("POST", `${records}/${collection}/records`, fields);

async function createWorkspace(name: string): Promise<string> {
  const { id } = await create("workspaces", { name });
  await create("members", { workspace: id, user: user.id, role: "admin" });
  return id;
}

/** The lists of a new board in a new workspace. */
async function createLists(count: number): Promise<{ board: string; lists: string[] }> {
  const workspace = await createWorkspace("Bench");
  const { id: board } = await create("boards", { workspace, name: "Board" });
  const lists: string[] = [];
  for (let position = 0; position < count; position++) {
    lists.push((await create("lists", { board, name: `List ${position}`, position })).id);
  }
  return { board, lists };
}

/** The ids of the cards of a new board, like the board that the service is measured with. */
async function createCards(count: number): Promise<{ board: string; cards: string[] }> {
  const { board, lists } = await createLists(10);
  const labels: string[] = [];
  for (let index = 0; index < 20; index++) {
    labels.push((await create("labels", { board, name: `Label ${index}` })).id);
  }
  const cards: string[] = [];
  for (let index = 0; index < count; index++) {
    const { id } = await create("cards", {
      board,
      list: lists[index % 10],
      position: index,
      title: `Card ${index}: what is to be done, in one line`,
      description: "More about it, in a paragraph of the usual length.",
      dueDate: "2030-01-31 10:00:00.000Z",
      labels: [labels[index % 20], labels[(index + 7) % 20]],
      members: index % 2 === 0 ? [user.id] : [],
    });
    cards.push(id);
    if (index % 5 > 0) continue;
    const { id: checklist } = await create("checklists", { card: id, name: "To do" });
    for (const title of ["One", "Two", "Three", "Four"]) {
      await create("items", { checklist, title });
    }
  }
  return { board, cards };
}
