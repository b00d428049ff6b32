import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { makeCard } from "../support/make.ts";
import { expectFailure } from "./failure.ts";
import { makeItem, makeWorld, type World } from "./world.ts";

const app = useApp();
let world: World;
beforeAll(async () => {
  world = await makeWorld(app());
});

const remove = (item: string) => world.member.rest.delete(`/checklists/items/${item}`);

describe("DELETE /checklists/items/{checklistItemPublicId}", () => {
  test("succeeds once, and does not change other items", async () => {
    const card = await makeCard(world.admin, world.list);
    const { body: checklist } = await world.admin.rest.post(`/cards/${card}/checklists`, {
      name: "Steps",
      items: ["One", "Two", "Three"],
    });
    const two = checklist.items[1].publicId;
    const { status, body } = await remove(two);
    expect({ status, body }).toEqual({ status: 200, body: { success: true } });
    expectFailure(await remove(two), "NOT_FOUND", [{}]);
    const { body: left } = await world.admin.rest.get(`/cards/${card}`);
    expect(left.checklists[0].items.map((item: { title: string }) => item.title)).toEqual([
      "One",
      "Three",
    ]);
  });

  test("succeeds for one of two concurrent calls", async () => {
    const item = await makeItem(world.admin, world.card);
    const replies = await Promise.all([remove(item), remove(item), remove(item)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
  });

  test("is 404 when the card or the checklist is deleted", async () => {
    const card = await makeCard(world.admin, world.list);
    const item = await makeItem(world.admin, card);
    await world.admin.rest.delete(`/cards/${card}`);
    expectFailure(await remove(item), "NOT_FOUND", [{}]);
    const other = await makeItem(world.admin, world.card);
    const { body } = await world.admin.rest.get(`/cards/${world.card}`);
    const { publicId } = body.checklists.find(({ items }: { items: { publicId: string }[] }) =>
      items.some((one) => one.publicId === other),
    );
    await world.admin.rest.delete(`/checklists/${publicId}`);
    expectFailure(await remove(other), "NOT_FOUND", [{}]);
  });

  test("is not confused with a checklist with the id `items`", async () => {
    const { publicId } = (await world.admin.rest.get(`/cards/${world.card}`)).body.checklists[0];
    const reply = await world.admin.rest.post(`/checklists/${publicId}/items`, { title: "More" });
    expect(reply.status).toBe(200);
  });
});
