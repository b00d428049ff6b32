import { expect } from "vitest";
import { upload } from "../../domain/attachments/files.ts";
import type { App } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace, type User } from "../../support/make.ts";
import { changeAccess, type AccessScene } from "./access.ts";
import { perform, randomFrom, type Known } from "./operations.ts";
import { apply, type Copy } from "./copies.ts";

type Any = any;

/** The part of a cursor that sorts. */
const order = (cursor: string) => cursor.split(".").at(-1) ?? "";

/** A client that has a copy of the boards of a workspace. */
class Client {
  readonly copy: Copy = new Map();
  #cursor = "";
  /** Of the boards that were read. */
  readonly #cursors: string[] = [];
  readonly #workspace: string;
  readonly #who: User;

  constructor(who: User, workspace: string) {
    this.#who = who;
    this.#workspace = workspace;
  }

  /** Reads the boards, and follows the log from the first of their cursors. */
  async start(): Promise<void> {
    const { status, body } = await this.#who.rest.get(`${this.#feed}?cursor=now`);
    if (status !== 200) return;
    this.#cursors.length = 0;
    this.#cursor = body.nextCursor;
    for (const [id, board] of await this.readAll()) this.copy.set(id, board);
    const cursors = [this.#cursor, ...this.#cursors];
    this.#cursor = cursors.toSorted((one, other) => (order(one) < order(other) ? -1 : 1))[0] ?? "";
  }

  get #feed() {
    return `/workspaces/${this.#workspace}/events`;
  }

  readonly #read = async (id: string): Promise<Any> => {
    const { status, body } = await this.#who.rest.get(`/boards/${id}`);
    if (status !== 200) return undefined;
    const { cursor, ...board } = body;
    this.#cursors.push(cursor);
    return board;
  };

  /** The boards as the service answers them now. */
  async readAll(): Promise<Copy> {
    const all: Copy = new Map();
    for (const archived of [false, true]) {
      const path = `/workspaces/${this.#workspace}/boards?limit=100&archived=${archived}`;
      const { status, body } = await this.#who.rest.get(path);
      if (status !== 200) continue;
      for (const { publicId } of body.items) all.set(publicId, await this.#read(publicId));
    }
    return all;
  }

  /** Drops everything: the client was removed from the workspace. It starts anew when it is back. */
  #leave(): void {
    this.copy.clear();
    this.#cursor = "";
  }

  /** Applies new events: of one page, or all. */
  async follow(pages = Infinity): Promise<void> {
    if (this.#cursor === "") await this.start();
    for (let page = 0; page < pages && this.#cursor !== ""; page++) {
      const path = `${this.#feed}?limit=100&cursor=${this.#cursor}`;
      const { status, body } = await this.#who.rest.get(path);
      if (status === 403) return this.#leave();
      if (status !== 200) throw new Error(JSON.stringify(body));
      for (const event of body.items) await apply(this.copy, event, this.#read);
      this.#cursor = body.nextCursor;
      if (body.items.length === 0) return;
    }
  }
}

/** A workspace with two boards and its clients. */
export async function makeScene(app: App) {
  const workspace = await makeWorkspace(app);
  const { admin } = workspace;
  const other = await makeWorkspace(app, admin);
  const member = await join(app, workspace, "member");
  const guest = await join(app, workspace, "guest");
  const onBoard = await join(app, workspace, "member");
  const coming = await join(app, workspace, "member");
  const boards = [await makeBoard(workspace, { labels: 3 }), await makeBoard(workspace)];
  const closed = await makeBoard(workspace);
  await admin.rest.put(`/boards/${closed.publicId}`, { visibility: "restricted" });
  await admin.rest.put(`/boards/${closed.publicId}/members/${onBoard.memberPublicId}`);
  boards.push(closed);
  const lists = boards.flatMap((board) => board.lists);
  const cards: string[] = [];
  for (const list of lists) cards.push(await makeCard(admin, list), await makeCard(admin, list));
  const file = await upload(app, admin, cards[0] ?? "", "bytes");
  const known: Known = {
    workspace: workspace.publicId,
    boards: boards.map(({ publicId }) => publicId),
    lists,
    cards,
    labels: boards.flatMap(({ labels }) => labels),
    checklists: [],
    items: [],
    comments: [],
    attachments: [file.body.publicId],
    members: [member.memberPublicId, guest.memberPublicId],
  };
  const people = [member, guest, onBoard, coming];
  const access: AccessScene = { app, workspace, other, people };
  return { workspace, users: { admin, member, guest, onBoard, coming }, known, access };
}

/** Performs random operations; every copy must then equal what the service answers. */
export async function runModel(app: App, seed: number, count: number): Promise<string[]> {
  const random = randomFrom(seed);
  const { workspace, users, known, access } = await makeScene(app);
  const all = Object.values(users);
  const clients = all.map((who) => new Client(who, workspace.publicId));
  for (const client of clients) await client.start();
  const done: string[] = [];
  for (let nth = 0; nth < count; nth++) {
    if (random.below(12) === 0) done.push(await changeAccess(access, known, random));
    else
      done.push(
        await perform(known, random, random.pick([users.admin, users.member]) ?? users.admin),
      );
    // A client is cut off for a while at random.
    if (random.below(4) === 0) await random.pick(clients)?.follow(1);
    if (nth % 50 === 49 || nth === count - 1) await compare(clients, `seed ${seed}`, done);
  }
  return done;
}

async function compare(clients: Client[], seed: string, done: string[]): Promise<void> {
  for (const client of clients) {
    await client.follow();
    const fresh = await client.readAll();
    const hint = `${seed}, after\n${done.slice(-30).join("\n")}`;
    expect(Object.fromEntries(client.copy), hint).toEqual(Object.fromEntries(fresh));
  }
}
