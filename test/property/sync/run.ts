import { expect } from "vitest";
import { withRelated } from "../../../src/client/store/related.ts";
import type { App } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace, type User } from "../../support/make.ts";
import { changeAccess, type AccessScene } from "./access.ts";
import { Client, type Tables } from "./client.ts";
import { differences } from "./differences.ts";
import { followed, shown, viewsOf } from "./lines.ts";
import { perform, randomFrom, type Known, type Random } from "./operations.ts";
import { performSpecial } from "./special.ts";
import { readPatchTables } from "./table.ts";

/** How many operations are made between two comparisons. */
const interval = 100;
/** How many differences a failure shows. */
const most = 10;

/** A workspace with boards, its people, and one board that not all of them can see. */
export async function makeScene(app: App) {
  const workspace = await makeWorkspace(app);
  const { admin } = workspace;
  const other = await makeWorkspace(app, admin);
  const member = await join(app, workspace, "member");
  const guest = await join(app, workspace, "guest");
  const onBoard = await join(app, workspace, "member");
  const coming = await join(app, workspace, "member");
  const blind = await join(app, workspace, "member");
  const path = `/workspaces/${workspace.publicId}/members/${blind.memberPublicId}/permissions`;
  await admin.rest.post(`${path}/revoke`, { permission: "member:view" });
  const boards = [await makeBoard(workspace, { labels: 3 }), await makeBoard(workspace)];
  const closed = await makeBoard(workspace);
  await admin.rest.put(`/boards/${closed.publicId}`, { visibility: "restricted" });
  await admin.rest.put(`/boards/${closed.publicId}/members/${onBoard.memberPublicId}`);
  boards.push(closed);
  const lists = boards.flatMap((board) => board.lists);
  const cards: string[] = [];
  for (const list of lists) cards.push(await makeCard(admin, list), await makeCard(admin, list));
  const known: Known = {
    workspace: workspace.publicId,
    boards: boards.map(({ publicId }) => publicId),
    lists,
    cards,
    labels: boards.flatMap(({ labels }) => labels),
    views: [],
    checklists: [],
    items: [],
    comments: [],
    attachments: [],
    members: [member, guest, onBoard].map(({ memberPublicId }) => memberPublicId),
    roles: Object.values(workspace.roles),
    imports: [],
  };
  const people = [member, guest, onBoard, coming];
  const access: AccessScene = { app, workspace, other, people };
  return { workspace, users: { admin, member, guest, onBoard, coming, blind }, known, access };
}

/** One client of each user; some read the parts of cards as well. */
const clientsOf = (app: App, workspace: string, users: User[], tables: Tables): Client[] =>
  users.map((who, nth) => new Client({ app, who, workspace, hasParts: nth % 2 === 1 }, tables));

/** A client loses its connection, gets one, or reads a page of the feed. */
async function changeConnection(client: Client, random: Random): Promise<void> {
  if (client.isStreaming) await client.cut();
  else if (random.below(3) > 0) await client.connect();
  else await client.poll(1);
}

/**
 * Performs random operations; every copy must then equal a fresh snapshot.
 *
 * Up to `writers` of them run at the same moment.
 */
export async function runModel(
  app: App,
  seed: number,
  count: number,
  writers = 1,
): Promise<string[]> {
  const random = randomFrom(seed);
  const { workspace, users, known, access } = await makeScene(app);
  const tables = await readPatchTables();
  const clients = clientsOf(app, workspace.publicId, Object.values(users), tables);
  for (const client of clients) await client.connect();
  const operate = (): Promise<string> => {
    const die = random.below(60);
    const who = random.pick([users.admin, users.member]) ?? users.admin;
    if (die < 5) return changeAccess(access, known, random);
    if (die < 8) return performSpecial(access, known, random);
    return perform(known, random, who);
  };
  const done: string[] = [];
  while (done.length < count) {
    const left = Math.min(writers, count - done.length);
    const together = left > 1 ? 1 + random.below(left) : 1;
    const running = Array.from({ length: together }, operate);
    done.push(...(await Promise.all(running)));
    const client = random.pick(clients);
    if (client !== undefined && random.below(4) === 0) await changeConnection(client, random);
    const isDue = done.length % interval < together;
    if (isDue || done.length === count) {
      await compare(clients, `seed ${seed}, after ${done.length}`, done.slice(-interval));
    }
  }
  return done;
}

async function compare(clients: Client[], title: string, done: string[]): Promise<void> {
  for (const [nth, client] of clients.entries()) {
    await client.cut();
    await client.poll();
    const fresh = await client.readAll();
    const hint = `${title}, client ${nth}, after\n${done.join("\n")}`;
    expect(differences(shown(followed(client.copy)), shown(fresh)).slice(0, most), hint).toEqual(
      [],
    );
    const live = [...client.views]
      .filter(([id]) => fresh.boards.has(id))
      .map(([id, view]) => [id, withRelated(view)]);
    const [views, boards] = [Object.fromEntries(live), Object.fromEntries(viewsOf(fresh))];
    expect(differences(views, boards).slice(0, most), `${hint}: store`).toEqual([]);
  }
}
