import { describe, expect, test } from "vitest";
import { runDue } from "../../support/jobs.ts";
import { signedIn } from "../../support/as.ts";
import { useApp } from "../../support/app.ts";
import {
  join,
  makeBoard,
  makeCard,
  makeUser,
  makeWorkspace,
  type User,
} from "../../support/make.ts";
import { instances } from "./instances.ts";

const app = useApp({ isolated: true });

type Person = User & { memberPublicId: string };

/** A board with a card that is assigned to a member, who has claimed it. */
async function scene() {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const board = await makeBoard(workspace);
  const card = await makeCard(admin, board.lists[0] ?? "");
  const person = await join(app(), workspace, "member");
  await admin.rest.put(`/cards/${card}/members/${person.memberPublicId}`);
  await person.rest.post(`/cards/${card}/claim`);
  const path = `/boards/${board.publicId}`;
  const all = instances(app());
  for (const { token } of [admin, person]) await all.warm(path, token);
  const expectFresh = (hint: string, ...readers: User[]) =>
    Promise.all([admin, ...readers].map(({ token }) => all.expectFresh(path, token, hint)));
  return {
    workspace,
    root: `/workspaces/${publicId}`,
    admin,
    board,
    card,
    person,
    expectFresh,
    all,
  };
}

describe("a cached board is what a fresh read shows", () => {
  test("when a member is renamed, and gets an image", async () => {
    const { person, expectFresh } = await scene();
    await person.rest.put("/users/me", { name: "Another name" });
    await expectFresh("renamed", person);
    await person.rest.put("/users/me", { image: "https://example.org/image.png" });
    await expectFresh("with an image", person);
  });

  test("when a member leaves, is removed, or deletes the account", async () => {
    const departures: ((of: Awaited<ReturnType<typeof scene>>) => Promise<unknown>)[] = [
      ({ person, root }) => person.rest.post(`${root}/leave`),
      ({ admin, person, root }) => admin.rest.delete(`${root}/members/${person.memberPublicId}`),
      ({ person }) => person.rest.delete("/users/me", { password: "a password for tests" }),
    ];
    for (const depart of departures) {
      const made = await scene();
      await depart(made);
      const { expectFresh } = made;
      await expectFresh("left", made.person);
      await runDue(app().deps);
      await expectFresh("after the jobs");
    }
  });

  test("when an invited address accepts", async () => {
    const { admin, root, expectFresh, board, card, all } = await scene();
    const invited = await makeUser(app(), "Invited person");
    const { email } = invited;
    const { body } = await admin.rest.post(`${root}/members/invite`, { email, role: "member" });
    await admin.rest.put(`/cards/${card}/members/${body.publicId}`);
    await all.warm(`/boards/${board.publicId}`, admin.token);
    const { body: link } = await admin.rest.post(`${root}/invites`, { role: "member" });
    await invited.rest.post("/invites/accept", { inviteCode: link.inviteCode });
    await expectFresh("accepted", invited);
  });

  test("when the board moves to another workspace, and back", async () => {
    const { workspace, admin, board, expectFresh, person } = await scene();
    const other = await makeWorkspace(app(), admin);
    const move = (to: string) =>
      admin.rest.post(`/boards/${board.publicId}/move`, { workspacePublicId: to });
    expect((await move(other.publicId)).status).toBe(200);
    await expectFresh("moved", person);
    await expectFresh("moved, and read again", person);
    expect((await move(workspace.publicId)).status).toBe(200);
    await expectFresh("moved back", person);
  });

  test("when the workspace is deleted, and restored", async () => {
    const { admin, root, expectFresh, person } = await scene();
    await admin.rest.delete(root);
    await expectFresh("deleted", person);
    await admin.rest.post(`${root}/restore`);
    await expectFresh("restored", person);
  });

  test("when all its events have been purged", async () => {
    const { admin, card, all, board } = await scene();
    const { expectFresh } = all;
    const path = `/boards/${board.publicId}`;
    await admin.rest.put(`/cards/${card}`, { title: "Changed" });
    app().advance(100 * 24 * 3_600_000);
    await runDue(app().deps);
    await expectFresh(path, (await signedIn(app(), admin)).token, "purged");
  });
});

describe("a cached board is shared by those who see the same", () => {
  async function member(revoked: string[]): Promise<[Person, Awaited<ReturnType<typeof scene>>]> {
    const made = await scene();
    const { admin, root } = made;
    const person = await join(app(), made.workspace, "member");
    for (const permission of revoked) {
      await admin.rest.post(`${root}/members/${person.memberPublicId}/permissions/revoke`, {
        permission,
      });
    }
    return [person, made];
  }

  test("and hides from others what they may not view", async () => {
    for (const revoked of [["card:view"], ["list:view"], ["member:view"], ["board:view"]]) {
      const [person, { expectFresh, all, board: read }] = await member(revoked);
      await expectFresh("before", person);
      const { hits } = all.one.responses.counts;
      await expectFresh("from memory", person);
      expect(all.one.responses.counts.hits).toBeGreaterThan(hits);
      const shown = await all.one.read(`/boards/${read.publicId}`, person.token);
      if (revoked[0] === "board:view") expect(shown.status).toBe(403);
    }
  });

  test("without another read of the database for the second of them", async () => {
    const { admin, all, person, board: read } = await scene();
    const path = `/boards/${read.publicId}`;
    await all.one.read(path, admin.token);
    const { misses } = all.one.responses.counts;
    await all.one.read(path, person.token);
    expect(all.one.responses.counts).toEqual({ hits: expect.any(Number), misses });
  });

  test("and a change of a permission counts at once", async () => {
    const { admin, root, all, person, board: read } = await scene();
    const path = `/boards/${read.publicId}`;
    expect((await all.one.read(path, person.token)).status).toBe(200);
    const body = { permission: "board:view" };
    await admin.rest.post(`${root}/members/${person.memberPublicId}/permissions/revoke`, body);
    expect((await all.one.read(path, person.token)).status).toBe(403);
  });

  test("compressed as well", async () => {
    const { admin, all, board: read, card } = await scene();
    const get = async () => {
      const response = await all.one.hono.request(`/api/v1/boards/${read.publicId}`, {
        headers: { Authorization: `Bearer ${admin.token}`, "Accept-Encoding": "gzip" },
      });
      return {
        encoding: response.headers.get("content-encoding"),
        body: new Uint8Array(await response.arrayBuffer()),
      };
    };
    await admin.rest.put(`/cards/${card}`, { title: "Long ".repeat(400) });
    const [first, second] = [await get(), await get()];
    expect(first.encoding).toBe("gzip");
    expect(second).toEqual(first);
  });
});

describe("a cached public board is what a fresh read shows", () => {
  /** A public board with a comment of a member. */
  async function publicScene() {
    const made = await scene();
    const { admin, board, card, person, workspace } = made;
    const { body } = await admin.rest.put(`/boards/${board.publicId}`, { visibility: "public" });
    await person.rest.post(`/cards/${card}/comments`, { comment: "Hello" });
    const path = (slug = body.slug) => `/workspaces-by-slug/${workspace.slug}/boards/${slug}`;
    const expectFresh = async (hint: string) => {
      // The second read is from memory.
      for (let nth = 0; nth < 2; nth++) await made.all.expectFresh(path(), undefined, hint);
      await made.all.expectFresh(`${path()}?cardLimit=1`, undefined, hint);
      return (await made.all.one.read(path(), undefined)).board;
    };
    await expectFresh("at first");
    return { ...made, path, slug: String(body.slug), expectFresh };
  }

  test("after changes of its texts and cards, and from memory", async () => {
    const { admin, board, card, expectFresh, all } = await publicScene();
    expect(all.one.responses.counts.hits).toBeGreaterThan(0);
    await admin.rest.put(`/cards/${card}`, { title: "Another title" });
    expect(JSON.stringify(await expectFresh("a card"))).toContain("Another title");
    await admin.rest.put(`/boards/${board.publicId}`, { name: "Another name" });
    expect(await expectFresh("the board")).toMatchObject({ name: "Another name" });
  });

  test("after an author who is no member has another name, or no account", async () => {
    const { admin, person, root, expectFresh } = await publicScene();
    await admin.rest.delete(`${root}/members/${person.memberPublicId}`);
    await expectFresh("removed");
    await person.rest.put("/users/me", { name: "A later name" });
    expect(JSON.stringify(await expectFresh("renamed"))).toContain("A later name");
    await person.rest.delete("/users/me", { password: "a password for tests" });
    expect(JSON.stringify(await expectFresh("deleted"))).not.toContain("A later name");
  });

  test("after it is private, deleted, or another board has its slug", async () => {
    const { admin, board, workspace, path, slug, expectFresh, all } = await publicScene();
    const other = await makeBoard(workspace);
    await admin.rest.put(`/boards/${other.publicId}`, { visibility: "public", name: "Other" });
    await admin.rest.put(`/boards/${board.publicId}`, { slug: "elsewhere" });
    await expectFresh("renamed");
    await all.expectFresh(path("elsewhere"), undefined, "at its new slug");
    await admin.rest.put(`/boards/${other.publicId}`, { slug });
    expect(await expectFresh("another")).toMatchObject({ name: "Other" });
    await admin.rest.put(`/boards/${other.publicId}`, { visibility: "private" });
    await all.expectFresh(path(), undefined, "private");
    expect((await all.one.read(path(), undefined)).status).toBe(404);
  });
});
