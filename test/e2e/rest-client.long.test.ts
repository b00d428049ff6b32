import createClient from "openapi-fetch";
import { expect, test } from "vitest";
import type { components, paths } from "./document.ts";
import { useService } from "./service.ts";

const service = useService();

/** The response body. Fails when the call failed. */
const done = async <Data>(call: Promise<{ data?: Data; error?: unknown }>): Promise<Data> => {
  const { data, error } = await call;
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
};

test("a client with generated types can register and fill a board", async () => {
  const client = createClient<paths>({ baseUrl: `${service()}/api/v1` });
  const { accessToken } = await done(
    client.POST("/auth/register", {
      body: { email: "ada@example.com", password: "correct horse battery staple", name: "Ada" },
    }),
  );
  client.use({
    onRequest: ({ request }) => request.headers.set("Authorization", `Bearer ${accessToken}`),
  });

  const workspace = await done(client.POST("/workspaces", { body: { name: "Engines" } }));
  const { publicId: boardPublicId } = await done(
    client.POST("/workspaces/{workspacePublicId}/boards", {
      params: { path: { workspacePublicId: workspace.publicId } },
      body: { name: "Website" },
    }),
  );
  const lists: string[] = [];
  for (const name of ["To do", "Doing", "Done"]) {
    lists.push((await done(client.POST("/lists", { body: { name, boardPublicId } }))).publicId);
  }
  const [toDo = "", doing = "", last = ""] = lists;
  const cards: string[] = [];
  for (let number = 1; number <= 10; number++) {
    const body = { title: `Card ${number}`, listPublicId: toDo };
    cards.push((await done(client.POST("/cards", { body }))).publicId);
  }
  const [first = "", second = "", third = "", , , , , , , tenth = ""] = cards;
  const onCard = (cardPublicId: string) => ({ params: { path: { cardPublicId } } });

  const label: components["schemas"]["Label"] = await done(
    client.POST("/labels", { body: { name: "Urgent", colourCode: "#d73a4a", boardPublicId } }),
  );
  const toggled = await done(
    client.PUT("/cards/{cardPublicId}/labels/{labelPublicId}", {
      params: { path: { cardPublicId: first, labelPublicId: label.publicId } },
    }),
  );
  expect(toggled).toEqual({ newLabel: true });
  const { publicId: checklistPublicId } = await done(
    client.POST("/cards/{cardPublicId}/checklists", {
      ...onCard(first),
      body: { name: "Before it goes out", items: ["Check the links"] },
    }),
  );
  await done(
    client.POST("/checklists/items", { body: { checklistPublicId, title: "Ask Charles" } }),
  );
  const update = (
    card: string,
    body: { listPublicId?: string; index?: number; dueDate?: string },
  ) => done(client.PUT("/cards/{cardPublicId}", { ...onCard(card), body }));
  await update(second, { listPublicId: doing });
  await update(third, { listPublicId: doing, index: 0 });
  await update(tenth, { index: 0 });
  const due = await update(first, { dueDate: "2027-02-28T17:00:00+01:00" });
  expect(due.dueDate).toBe("2027-02-28T16:00:00.000Z");

  const board = await done(
    client.GET("/boards/{boardPublicId}", { params: { path: { boardPublicId } } }),
  );
  expect(board.lists.map((list) => [list.publicId, list.cards.map(({ title }) => title)])).toEqual([
    [toDo, ["Card 10", "Card 1", "Card 4", "Card 5", "Card 6", "Card 7", "Card 8", "Card 9"]],
    [doing, ["Card 3", "Card 2"]],
    [last, []],
  ]);
  expect(board.lists[0]?.cards[1]).toMatchObject({
    labels: [{ publicId: label.publicId, name: "Urgent", colourCode: "#d73a4a" }],
    checklistItems: { total: 2, completed: 0 },
    dueDate: "2027-02-28T16:00:00.000Z",
  });
  const card = await done(client.GET("/cards/{cardPublicId}", onCard(first)));
  expect(card.checklists[0]?.items.map(({ title }) => title)).toEqual([
    "Check the links",
    "Ask Charles",
  ]);
});

test("an error has the documented schema", async () => {
  const client = createClient<paths>({ baseUrl: `${service()}/api/v1` });
  const { error, response } = await client.GET("/workspaces");
  expect(response.status).toBe(401);
  expect(error?.code).toBe("UNAUTHORIZED");
});
