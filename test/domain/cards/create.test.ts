import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeCard } from "../../support/make.ts";
import { expectChecklists, inList, start } from "./creating.ts";
import { findEvents } from "../../support/events.ts";

const app = useApp();

describe("card.create", () => {
  test("with only a title creates a card at the end of the list, with the next number", async () => {
    const { user, workspace, board, list } = await start(app());
    await makeCard(user, list);
    const { status, body, headers } = await user.rest.post("/cards", {
      title: " æ 🙂 ",
      listPublicId: list,
    });
    const now = app().deps.clock().toISOString();
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        publicId: expect.stringMatching(/^[0-9a-z]{12}$/),
        title: "æ 🙂",
        description: null,
        dueDate: null,
        isDueAllDay: false,
        isStartAllDay: false,
        priority: "none",
        startDate: null,
        cardNumber: `${workspace.cardPrefix}-2`,
        isComplete: false,
        isArchived: false,
        version: 1,
        createdAt: now,
        updatedAt: now,
        index: 1,
        listPublicId: list,
        boardPublicId: board.publicId,
        workspacePublicId: workspace.publicId,
        labels: [],
        relations: [],
        members: [],
        checklists: [],
        commentCount: 0,
        attachmentCount: 0,
        fields: {},
        claim: null,
        isWatching: false,
        attachments: [],
      },
    });
    expect(headers.get("etag")).toBe('"1"');
    expect((await user.rest.get(`/cards/${body.publicId}`)).body).toEqual(body);
  });

  test("with every option creates all relations, and card.get answers the same", async () => {
    const { user, workspace, board, list } = await start(app());
    const { memberPublicId } = await join(app(), workspace, "guest");
    const card = await user.trpc.card.create.mutate({
      title: "All",
      description: "# Text",
      listPublicId: list,
      index: 0,
      dueDate: "2026-01-31T10:00:00+02:00",
      startDate: "2026-01-30T00:00:00Z",
      labelPublicIds: [...board.labels, ...board.labels],
      memberPublicIds: [memberPublicId, memberPublicId],
      checklists: [{ name: "First", items: ["b", "a", "b"] }, { name: "Second" }],
    });
    expect(card).toMatchObject({
      description: "# Text",
      dueDate: "2026-01-31T08:00:00.000Z",
      startDate: "2026-01-30T00:00:00.000Z",
      labels: [{ name: "Label 0" }, { name: "Label 1" }],
      members: [{ publicId: memberPublicId, name: "A guest" }],
      checklists: [
        {
          name: "First",
          items: [{ title: "b", completed: false }, { title: "a" }, { title: "b" }],
        },
        { name: "Second", items: [] },
      ],
    });
    expect(await user.trpc.card.get.query({ cardPublicId: card.publicId })).toEqual(card);
    const [shown] =
      (await user.trpc.board.get.query({ boardPublicId: board.publicId })).lists[0]?.cards ?? [];
    expect(shown).toMatchObject({
      publicId: card.publicId,
      hasDescription: true,
      labels: card.labels,
      members: card.members,
      checklistItems: { total: 3, completed: 0 },
    });
  });

  test("goes to an index, beside a card, or to the end for a larger index", async () => {
    const { user, board, list } = await start(app());
    const [a, b] = [await makeCard(user, list, "a"), await makeCard(user, list, "b")];
    const add = (title: string, placement: object) =>
      user.rest.post("/cards", { title, listPublicId: list, ...placement });
    expect((await add("first", { index: 0 })).body.index).toBe(0);
    expect((await add("after a", { afterCardPublicId: a })).body.index).toBe(2);
    expect((await add("before b", { beforeCardPublicId: b })).body.index).toBe(3);
    expect((await add("last", { index: 2_147_483_647 })).body.index).toBe(5);
    expect(await inList(user, board.publicId)).toEqual([
      ["first", "a", "after a", "before b", "b", "last"],
      [],
    ]);
  });

  test("takes checklists with items, in order", async () => {
    const { user, list } = await start(app());
    await expectChecklists(user, list, { checklists: 3, items: 4 });
  });

  test("announces itself once, with the list and the board that it is on", async () => {
    const { user, board, list } = await start(app());
    const card = await makeCard(user, list, "Reported");
    const events = await findEvents(app(), { where: { cardPublicId: card } });
    expect(events).toMatchObject([
      {
        type: "card.created",
        isActivity: true,
        data: {
          card: { title: "Reported", version: 1 },
          list: { publicId: list },
          board: { publicId: board.publicId },
        },
      },
    ]);
  });
});
