import { expect, test } from "vitest";
import { differences, readsOf, type Read, type Values } from "./all-reads.ts";
import { canary, makeHidden } from "./make-hidden.ts";
import type { Permission } from "../../../src/contract/vocabulary/permissions.ts";
import { setOverride } from "./membership.ts";
import { person, type Actor } from "./actors.ts";
import { useWorld } from "./world.ts";

const world = useWorld();

type Asked = Read & { response: Values; varying: Set<string> };

/** Asks each read twice: signed addresses and times of now differ in any two answers. */
async function askAll(reads: Read[]): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const read of reads) {
    const [first, response] = [await read.ask(), await read.ask()];
    asked.push({ ...read, response, varying: new Set(differences(first, response)) });
  }
  return asked;
}

/** Asks again; what differs from before, by actor, read and path. */
async function changesSince(asked: Asked[]): Promise<string[]> {
  const changed: string[] = [];
  for (const { name, actor, ask, response, varying } of asked) {
    const after = await ask();
    for (const path of differences(response, after).filter((one) => !varying.has(one)))
      changed.push(`${actor.name}: ${name} ${path}: ${response[path]} -> ${after[path]}`);
  }
  return changed;
}

test("each read answers the same before and after others fill a board that is hidden from its caller", async () => {
  const blind = (["member", "guest"] as const).map((role) =>
    person(world(), role, { credential: "good", role }),
  );
  const admin = await person(world(), "admin", { credential: "good", role: "admin" });
  const actors = [...(await Promise.all(blind)), admin];
  const all = (await Promise.all(actors.map((one) => readsOf(world(), one)))).flat();
  const asked = await askAll(all);
  await makeHidden(world().fixtures);
  await makeHidden(world().fixtures);
  const changed = await changesSince(asked);
  expect(changed.filter((one) => !one.startsWith("admin: "))).toEqual([]);
  // Who may see the board sees it in each kind of listing, over each API.
  const seen = new Set(changed.map((one) => one.split(" ").slice(1, 3).join(" ")));
  const listings = ["board.list", "workspace.events", "view.list"];
  expect([...seen]).toEqual(
    expect.arrayContaining([
      ...listings.flatMap((name) => [`REST ${name}`, `tRPC ${name}`]),
      "/kan /workspaces/{workspacePublicId}/boards",
      "/kan /workspaces/{workspacePublicId}/search",
      "tool board_list",
      "tool card_search",
      "tool change_list",
      "tool view_list",
    ]),
  );
  const answered = (prefix: string) =>
    asked.filter(({ name, response }) => name.startsWith(prefix) && response["status"] === "200");
  expect(answered("REST").length).toBeGreaterThan(100);
  expect(answered("tRPC").length).toBeGreaterThan(100);
  expect(answered("/kan").length).toBeGreaterThan(20);
  expect(answered("tool").length).toBeGreaterThan(50);
});

/** What an admin adds that only holders of a permission to view see. */
const additions: Partial<Record<Permission, () => Promise<unknown>[]>> = {
  "comment:view": () => {
    const { admin, ids } = world().fixtures;
    const path = `/cards/${ids.card}/comments`;
    return [canary, "Another"].map((comment) => admin.rest.post(path, { comment }));
  },
  "card:view": () => {
    const { admin, ids } = world().fixtures;
    const titles = [canary, "Another"];
    return titles.map((title) => admin.rest.post("/cards", { title, listPublicId: ids.list }));
  },
  "board:view": () => {
    const { admin, ids } = world().fixtures;
    const path = `/workspaces/${ids.workspace}/boards`;
    return [canary, "Another"].map((name) => admin.rest.post(path, { name, lists: ["List"] }));
  },
  "member:view": () => {
    const { admin, ids } = world().fixtures;
    const path = `/workspaces/${ids.workspace}/members/invite`;
    const emails = ["hidden-one@example.com", "hidden-two@example.com"];
    return emails.map((email) => admin.rest.post(path, { email }));
  },
  "list:view": () => {
    const { admin, ids } = world().fixtures;
    const names = [canary, "Another"];
    return names.map((name) => admin.rest.post("/lists", { name, boardPublicId: ids.board }));
  },
};

test.each(Object.keys(additions) as Permission[])(
  "without %s each read answers the same before and after others add what it shows",
  async (lacks) => {
    const reader = await person(world(), `without ${lacks}`, {
      credential: "good",
      role: "member",
    });
    const { memberPublicId } = await memberOf(reader);
    await setOverride(world().app, memberPublicId, lacks, false);
    const asked = await askAll(await readsOf(world(), reader));
    for (const added of additions[lacks]?.() ?? []) {
      expect(await added).toMatchObject({ status: 200 });
    }
    const changed = await changesSince(asked);
    expect(changed.filter((one) => !isPromised(one, lacks))).toEqual([]);
  },
);

/**
 * Whether a change is of what an interface that is in use promises: a card's version, which
 * `If-Match` compares, grows with comments, and the feed says that it has grown.
 */
const isPromised = (change: string, lacks: Permission) =>
  lacks === "comment:view" &&
  /\.version: \d|\.updatedAt: |version \d| workspace\.events |tool change_list/.test(change);

/** The membership of an actor in the fixtures' workspace. */
async function memberOf({ token }: Actor) {
  const path = `/workspaces/${world().fixtures.ids.workspace}`;
  return (await world().app.call({ method: "GET", path, token })).body;
}
