import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { makeCard, makeWorkspace, type Workspace } from "../../support/make.ts";
import { insertComments, insertLink } from "../../support/rows.ts";

const app = useApp();
let workspace: Workspace;
let me: string;
let board: any;
let card: string;
let path: string;

beforeAll(async () => {
  workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  me = (await rest.get(`/workspaces/${workspace.publicId}`)).body.memberPublicId;
  ({ body: board } = await rest.post(`/workspaces/${workspace.publicId}/boards`, {
    name: "Open day",
    description: `Ask @[Admin](${me})`,
    visibility: "public",
    lists: ["One", "Two", "Gone"],
    labels: [{ name: "Bug", colourCode: "#ff0000" }],
  }));
  const made = await rest.post("/cards", {
    title: "Card",
    description: `Text for @[Ad] min](${me})`,
    listPublicId: board.lists[0].publicId,
    dueDate: "2030-02-01T00:00:00Z",
    labelPublicIds: [board.labels[0].publicId],
    memberPublicIds: [me],
    checklists: [{ name: "Steps", items: ["x", "y"] }],
  });
  card = made.body.publicId;
  await makeCard(workspace.admin, board.lists[0].publicId, "Second");
  await makeCard(workspace.admin, board.lists[2].publicId, "In a deleted list");
  const hidden = await makeCard(workspace.admin, board.lists[1].publicId, "Archived");
  await rest.put(`/cards/${hidden}`, { isArchived: true });
  await rest.delete(`/lists/${board.lists[2].publicId}`);
  await rest.post(`/cards/${card}/comments`, { comment: `Look, @[Admin](${me})!` });
  app().advance(1_000);
  await insertComments(app(), card, ["Imported"], "Ada");
  await insertLink(app(), card, "https://files.example.com/plan.pdf", "plan.pdf");
  path = `/workspaces/by-slug/${workspace.slug}/boards/open-day`;
});

const anonymous = () => as(app());

describe("board.getBySlug", () => {
  test("shows a public board to anonymous callers: texts, labels, dates, checklists, comments", async () => {
    const { status, body } = await anonymous().rest.get(path);
    expect(status).toBe(200);
    expect(body).toEqual({
      name: "Open day",
      description: "Ask @Admin",
      slug: "open-day",
      workspaceName: expect.stringMatching(/^Workspace/),
      labels: [{ name: "Bug", colourCode: "#ff0000" }],
      lists: [
        {
          name: "One",
          cards: [
            {
              cardNumber: `${workspace.cardPrefix}-1`,
              title: "Card",
              description: "Text for @Ad] min",
              startDate: null,
              isStartAllDay: false,
              dueDate: "2030-02-01T00:00:00.000Z",
              isDueAllDay: false,
              isComplete: false,
              createdAt: expect.any(String),
              labels: [{ name: "Bug", colourCode: "#ff0000" }],
              fields: [],
              checklists: [
                {
                  name: "Steps",
                  items: [
                    {
                      title: "x",
                      isComplete: false,
                      completed: false,
                      dueDate: null,
                      isDueAllDay: false,
                    },
                    {
                      title: "y",
                      isComplete: false,
                      completed: false,
                      dueDate: null,
                      isDueAllDay: false,
                    },
                  ],
                },
              ],
              comments: [
                {
                  comment: "Look, @Admin!",
                  authorName: "Admin",
                  createdAt: expect.any(String),
                },
                { comment: "Imported", authorName: "Ada", createdAt: expect.any(String) },
              ],
            },
            expect.objectContaining({ title: "Second", checklists: [], comments: [], labels: [] }),
          ],
        },
        { name: "Two", cards: [] },
      ],
    });
  });

  test("shows no ids, email addresses, files or numbers", async () => {
    const { body } = await anonymous().rest.get(path);
    const text = JSON.stringify(body);
    expect(text).not.toMatch(/publicId|example\.com|plan\.pdf|attachment/i);
    for (const id of [me, card, board.publicId, workspace.publicId, workspace.admin.publicId])
      expect(text).not.toContain(id);
    const numbers: unknown[] = [];
    JSON.stringify(body, (_, value: unknown) => {
      if (typeof value === "number") numbers.push(value);
      return value;
    });
    expect(numbers).toEqual([]);
  });

  test("shows names instead of mentions in every text", async () => {
    const mention = `@[Ada](${me})`;
    const { rest } = workspace.admin;
    const { body: mentioning } = await rest.post(`/workspaces/${workspace.publicId}/boards`, {
      name: `Board ${mention}`,
      description: mention,
      visibility: "public",
      lists: [mention],
      labels: [{ name: "Bug @[A](012345678901)", colourCode: "#ff0000" }],
    });
    await rest.post("/cards", {
      title: mention,
      description: `${mention}${"@[".repeat(3)}Ada](${me})`,
      listPublicId: mentioning.lists[0].publicId,
      labelPublicIds: [mentioning.labels[0].publicId],
      checklists: [{ name: mention, items: [mention] }],
    });
    const { body } = await anonymous().rest.get(
      `/workspaces/by-slug/${workspace.slug}/boards/${mentioning.slug}`,
    );
    const text = JSON.stringify(body);
    expect(text).not.toMatch(/\]\(/);
    expect(text).not.toContain(me);
    expect(body.lists[0].cards[0].checklists).toMatchObject([
      { name: "@Ada", items: [{ title: "@Ada" }] },
    ]);
  });

  test("finds slugs in any case, also for a caller with an invalid credential", async () => {
    const upper = `/workspaces/by-slug/${workspace.slug.toUpperCase()}/boards/Open-Day`;
    expect((await anonymous().rest.get(upper)).status).toBe(200);
    expect((await as(app(), "no.good.token").rest.get(path)).status).toBe(200);
    const input = { workspaceSlug: workspace.slug, boardSlug: "open-day" };
    expect(await anonymous().trpc.board.getBySlug.query(input)).toEqual(
      (await anonymous().rest.get(path)).body,
    );
  });

  test("limits the cards of lists, and filters by due dates", async () => {
    const titles = async (query: string) =>
      (await anonymous().rest.get(`${path}?${query}`)).body.lists.map(({ cards }: any) =>
        cards.map(({ title }: any) => title),
      );
    expect(await titles("cardLimit=1")).toEqual([["Card"], []]);
    expect(await titles("due=none")).toEqual([["Second"], []]);
    expect(await titles("due=overdue")).toEqual([[], []]);
    for (const query of ["cardLimit=201", "members=" + me, "archived=true"]) {
      expect((await anonymous().rest.get(`${path}?${query}`)).status).toBe(400);
    }
  });

  test("is the same 404 for every board that is not public or does not exist", async () => {
    const { rest } = workspace.admin;
    const currentPath = async () => {
      const { slug } = (await rest.get(`/boards/${board.publicId}`)).body;
      return `/workspaces/by-slug/${workspace.slug}/boards/${slug}`;
    };
    const responses = [
      await anonymous().rest.get(`/workspaces/by-slug/${workspace.slug}/boards/no-such-board`),
    ];
    responses.push(
      await anonymous().rest.get("/workspaces/by-slug/no-such-workspace/boards/open-day"),
    );
    for (const visibility of ["private", "restricted"]) {
      await rest.put(`/boards/${board.publicId}`, { visibility });
      // A restricted board gets another slug.
      const current = await currentPath();
      responses.push(await anonymous().rest.get(current), await rest.get(current));
    }
    await rest.put(`/boards/${board.publicId}`, { visibility: "public" });
    const current = await currentPath();
    await rest.delete(`/boards/${board.publicId}`);
    responses.push(await anonymous().rest.get(current));
    await rest.post(`/boards/${board.publicId}/restore`);
    expect((await anonymous().rest.get(current)).status).toBe(200);
    await rest.delete(`/workspaces/${workspace.publicId}`);
    responses.push(await anonymous().rest.get(current));
    for (const { status, body } of responses)
      expect({ status, body }).toEqual({ status: 404, body: responses[0]?.body });
  });
});
