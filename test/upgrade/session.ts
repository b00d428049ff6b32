import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { clientOf } from "../crash/service-client.ts";
import type { Receiver } from "../support/receiver.ts";
import { waitFor } from "../support/wait.ts";

/** A user's session on the service at an origin. Every call must succeed. */
export async function useService(origin: string, receiver: Receiver): Promise<void> {
  let token: string | undefined;
  const call = async (method: string, path: string, body?: object) => {
    const response = await clientOf(() => origin, token)(method, path, body);
    const what = `${method} ${path} ${JSON.stringify(response.body)}`;
    expect(response.status, what).toBe(200);
    return response.body;
  };
  const account = { email: `${randomUUID()}@example.com`, password: "correct horse battery" };
  await call("POST", "/auth/register", { ...account, name: "Ann" });
  token = (await call("POST", "/auth/login", account)).accessToken;
  const { publicId: workspace } = await call("POST", "/workspaces", { name: "Garden" });
  const home = `/workspaces/${workspace}`;
  const { nextCursor: cursor } = await call("GET", `${home}/events?cursor=now`);
  const path = `/${randomUUID()}`;
  await call("POST", `${home}/webhooks`, {
    name: "All",
    url: `${receiver.url.replace(/\/$/, "")}${path}`,
    events: ["*"],
  });
  const { lists, publicId: board } = await call("POST", `${home}/boards`, {
    name: "Spring",
    lists: ["To do", "Done"],
    labels: [{ name: "Urgent", colourCode: "#dc2626" }],
  });
  const [toDo, done] = lists.map(({ publicId }: { publicId: string }) => publicId);
  const [label] = await call("GET", `/boards/${board}/labels`);
  const { publicId: card } = await call("POST", "/cards", {
    title: "Paint the fence",
    listPublicId: toDo,
    labelPublicIds: [label.publicId],
    checklists: [{ name: "Steps", items: ["brush"] }],
  });
  await call("POST", "/cards", { title: "Rake the leaves", listPublicId: toDo });
  await call("PUT", `/cards/${card}`, {
    description: "Green",
    dueDate: "2027-10-01T12:00:00.000Z",
  });
  await call("PUT", `/cards/${card}`, { listPublicId: done, index: 0 });
  await call("POST", `/cards/${card}/comments`, { comment: "Where is the brush?" });
  await call("POST", `/cards/${card}/duplicate`, { title: "Paint the gate" });
  await call("PUT", `/lists/${toDo}`, { index: 1 });

  const read = await call("GET", `/boards/${board}`);
  const titles = read.lists.map(({ name, cards }: { name: string; cards: { title: string }[] }) => [
    name,
    ...cards.map(({ title }) => title),
  ]);
  expect(titles).toEqual([
    ["Done", "Paint the fence", "Paint the gate"],
    ["To do", "Rake the leaves"],
  ]);
  await call("GET", `/cards/${card}`);
  await call("GET", `/boards/${board}/cards?limit=2`);
  const found = await call("GET", `${home}/search?query=brush`);
  expect(JSON.stringify(found)).toContain("Where is the brush?");
  await call("GET", "/users/me/notifications");
  const { items } = await call("GET", `${home}/events?limit=100&cursor=${cursor}`);
  const types = items.map(({ type }: { type: string }) => type);
  expect(types).toEqual(expect.arrayContaining(["board.created", "card.moved", "comment.created"]));
  const deliveredTypes = () =>
    receiver.deliveries
      .filter((delivery) => delivery.path === path)
      .map(({ body }) => String(JSON.parse(body).type));
  await waitFor(() =>
    expect(deliveredTypes()).toEqual(expect.arrayContaining(["card.moved", "comment.created"])),
  );
  await call("DELETE", `/cards/${card}`);
  await call("GET", `${home}/trash`);
  await call("POST", `/cards/${card}/restore`);
}
