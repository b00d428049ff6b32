import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { expect, test } from "vitest";
import type { AppRouter } from "../../src/app/router/index.ts";
import { useService } from "./service.ts";

const service = useService();

test("a client with AppRouter's types can register and fill a board", async () => {
  let token = "";
  const client = createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: `${service()}/trpc`,
        headers: () => (token === "" ? {} : { Authorization: `Bearer ${token}` }),
      }),
    ],
  });

  const { accessToken } = await client.auth.register.mutate({
    email: "ada@example.com",
    password: "correct horse battery staple",
    name: "Ada",
  });
  token = accessToken;
  const { publicId: workspacePublicId } = await client.workspace.create.mutate({ name: "Engines" });
  const { publicId: boardPublicId } = await client.board.create.mutate({
    workspacePublicId,
    name: "Website",
  });
  const lists: string[] = [];
  for (const name of ["To do", "Doing", "Done"]) {
    lists.push((await client.list.create.mutate({ boardPublicId, name })).publicId);
  }
  const [toDo = "", doing = "", done = ""] = lists;
  const cards: string[] = [];
  for (let number = 1; number <= 10; number++) {
    const card = await client.card.create.mutate({ listPublicId: toDo, title: `Card ${number}` });
    cards.push(card.publicId);
  }
  const [first = "", second = "", third = "", , , , , , , tenth = ""] = cards;

  const label = await client.label.create.mutate({
    boardPublicId,
    name: "Urgent",
    colourCode: "#d73a4a",
  });
  const toggled = await client.card.toggleLabel.mutate({
    cardPublicId: first,
    labelPublicId: label.publicId,
  });
  expect(toggled).toEqual({ newLabel: true });
  const checklist = await client.checklist.create.mutate({
    cardPublicId: first,
    name: "Before it goes out",
    items: ["Check the links"],
  });
  await client.checklist.addItem.mutate({
    checklistPublicId: checklist.publicId,
    title: "Ask Charles",
  });
  await client.card.update.mutate({ cardPublicId: second, listPublicId: doing });
  await client.card.update.mutate({ cardPublicId: third, listPublicId: doing, index: 0 });
  await client.card.update.mutate({ cardPublicId: tenth, index: 0 });
  const dueDate = "2027-02-28T17:00:00+01:00";
  const due = await client.card.update.mutate({ cardPublicId: first, dueDate });
  expect(due.dueDate).toBe("2027-02-28T16:00:00.000Z");

  // Two calls in one tick are one request.
  const [board, card] = await Promise.all([
    client.board.get.query({ boardPublicId }),
    client.card.get.query({ cardPublicId: first }),
  ]);
  expect(board.lists.map((list) => [list.publicId, list.cards.map(({ title }) => title)])).toEqual([
    [toDo, ["Card 10", "Card 1", "Card 4", "Card 5", "Card 6", "Card 7", "Card 8", "Card 9"]],
    [doing, ["Card 3", "Card 2"]],
    [done, []],
  ]);
  expect(board.lists[0]?.cards[1]).toMatchObject({
    labels: [{ publicId: label.publicId, name: "Urgent", colourCode: "#d73a4a" }],
    checklistItems: { total: 2, completed: 0 },
    dueDate: "2027-02-28T16:00:00.000Z",
  });
  expect(card.checklists[0]?.items.map(({ title }) => title)).toEqual([
    "Check the links",
    "Ask Charles",
  ]);
});

test("an error reaches the client with its code and issues", async () => {
  const client = createTRPCClient<AppRouter>({
    links: [httpBatchLink({ url: `${service()}/trpc` })],
  });
  await expect(client.workspace.list.query()).rejects.toMatchObject({
    data: { code: "UNAUTHORIZED", httpStatus: 401, message: "Authorization not provided" },
  });
});
