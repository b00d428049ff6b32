import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import {
  join,
  makeBoard,
  makeCard,
  makeWorkspace,
  type Board,
  type User,
} from "../../support/make.ts";
import { start } from "./moving.ts";
import { findEvents } from "../../support/events.ts";

const app = useApp();

const label = async (
  user: User,
  board: Board,
  name: string,
  colourCode = "#112233",
): Promise<string> =>
  (await user.rest.post("/labels", { name, colourCode, boardPublicId: board.publicId })).body
    .publicId;
const labelsOf = async (user: User, card: string) =>
  (await user.trpc.card.get.query({ cardPublicId: card })).labels.map(({ publicId }) => publicId);

describe("a move to another board", () => {
  test("changes the labels for that board's twins, and makes those that it does not have", async () => {
    const { user, here, there, one, three } = await start(app());
    const twin = [await label(user, here, "Bug"), await label(user, there, "Bug")];
    await label(user, there, "Idea", "#aaaaaa");
    const [other, third] = [await label(user, here, "Idea"), await label(user, here, "Unused")];
    const { body } = await user.rest.post("/cards", {
      title: "x",
      listPublicId: one,
      labelPublicIds: [twin[0], other],
    });
    const reply = await user.rest.put(`/cards/${body.publicId}`, { listPublicId: three });
    expect([reply.status, reply.headers.get("etag")]).toEqual([200, '"2"']);
    const { body: read } = await user.rest.get(`/cards/${body.publicId}`);
    expect(read).toMatchObject({
      boardPublicId: there.publicId,
      labels: [
        { publicId: twin[1], name: "Bug" },
        { name: "Idea", colourCode: "#112233" },
      ],
    });
    const { labels } = await user.trpc.board.get.query({ boardPublicId: there.publicId });
    expect(labels.map(({ name, colourCode }) => `${name} ${colourCode}`).toSorted()).toEqual([
      "Bug #112233",
      "Idea #112233",
      "Idea #aaaaaa",
    ]);
    const { labels: left } = await user.trpc.board.get.query({ boardPublicId: here.publicId });
    expect(left.map(({ publicId }) => publicId)).toEqual([twin[0], other, third]);
    const events = await findEvents(app(), {
      where: { boardPublicId: there.publicId, type: { in: ["label.created", "card.moved"] } },
      orderBy: { id: "desc" },
      take: 2,
    });
    expect(events.map(({ type }) => type)).toEqual(["card.moved", "label.created"]);
  });

  test("does not change number, members, checklists, dates and text", async () => {
    const { workspace, user, one, three } = await start(app());
    const { memberPublicId } = await join(app(), workspace, "member");
    const { body } = await user.rest.post("/cards", {
      title: "Whole",
      description: "Text",
      listPublicId: one,
      dueDate: "2026-01-31T10:00:00Z",
      memberPublicIds: [memberPublicId],
      checklists: [{ name: "All", items: ["a", "b"] }],
    });
    await user.rest.put(`/cards/${body.publicId}`, { listPublicId: three });
    const { version: _, listPublicId: __, boardPublicId: ___, ...same } = body;
    expect((await user.rest.get(`/cards/${body.publicId}`)).body).toMatchObject(same);
  });

  test("of two cards with one label at the same moment makes that label once", async () => {
    const { workspace, user, here, one, three, there } = await start(app());
    const fourth = (await user.rest.post("/lists", { name: "Four", boardPublicId: there.publicId }))
      .body.publicId;
    const names = ["a", "b", "c"];
    const labelPublicIds = [];
    for (const name of names) labelPublicIds.push(await label(user, here, name));
    const cards: string[] = [];
    for (let n = 0; n < 6; n++) {
      cards.push(
        (await user.rest.post("/cards", { title: "x", listPublicId: one, labelPublicIds })).body
          .publicId,
      );
    }
    const replies = await Promise.all(
      cards.map((card, n) =>
        workspace.admin.rest.put(`/cards/${card}`, { listPublicId: n % 2 ? three : fourth }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(cards.map(() => 200));
    const { labels } = await user.trpc.board.get.query({ boardPublicId: there.publicId });
    expect(labels.map(({ name }) => name)).toEqual(names);
    for (const card of cards) {
      expect(await labelsOf(user, card)).toEqual(labels.map(({ publicId }) => publicId));
    }
  });

  test("is 404 to a list of another workspace, of a hidden board, or that does not exist", async () => {
    const { workspace, one } = await start(app());
    const member = await join(app(), workspace, "member");
    const id = await makeCard(member, one);
    const { body: restricted } = await workspace.admin.rest.post(
      `/workspaces/${workspace.publicId}/boards`,
      {
        name: "Secret",
        visibility: "restricted",
        lists: ["Hidden"],
      },
    );
    const own = await makeWorkspace(app(), member);
    const foreign = await makeBoard(own);
    for (const listPublicId of [
      foreign.lists[0],
      restricted.lists[0].publicId,
      "nowhere00000",
      id,
    ]) {
      const { status, body } = await member.rest.put(`/cards/${id}`, {
        title: "Changed",
        listPublicId,
      });
      expect([status, body.code]).toEqual([404, "NOT_FOUND"]);
    }
    expect((await member.rest.get(`/cards/${id}`)).body).toMatchObject({
      listPublicId: one,
      version: 1,
    });
  });
});
