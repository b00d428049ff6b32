import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../support/make.ts";
import { expectFailure } from "./failure.ts";
import { makeWorld, unknownId, type World } from "./world.ts";

const app = useApp();
let world: World;
beforeAll(async () => {
  world = await makeWorld(app());
});

describe("PUT /cards/{cardPublicId}/labels/{labelPublicId}", () => {
  const toggle = (card: string, label: string, body?: unknown) =>
    world.member.rest.put(`/cards/${card}/labels/${label}`, body);
  const labelsOf = async (card: string) =>
    (await world.admin.rest.get(`/cards/${card}`)).body.labels;

  test("adds, removes and adds the label, as newLabel reports", async () => {
    const card = await makeCard(world.admin, world.list);
    for (const [body, newLabel] of [
      [undefined, true],
      [{}, false],
      [undefined, true],
    ] as const) {
      const reply = await toggle(card, world.label, body);
      expect({ status: reply.status, body: reply.body }).toEqual({
        status: 200,
        body: { newLabel },
      });
      const label = { publicId: world.label, name: "Label 0", colourCode: "#1f2e3d" };
      expect(await labelsOf(card)).toEqual(newLabel ? [label] : []);
    }
  });

  test("is unchanged after an even number of concurrent calls", async () => {
    const card = await makeCard(world.admin, world.list);
    const replies = await Promise.all(Array.from({ length: 6 }, () => toggle(card, world.label)));
    expect(replies.map(({ body }) => body.newLabel).toSorted()).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
    expect(await labelsOf(card)).toEqual([]);
  });

  test("is 404 for a label that is unknown, deleted, or of another board or workspace", async () => {
    const sibling = await makeBoard(world.workspace);
    const foreign = await makeBoard(await makeWorkspace(app(), world.admin));
    const { labels: gone } = await makeBoard(world.workspace);
    await world.admin.rest.delete(`/labels/${gone[0]}`);
    for (const label of [unknownId, sibling.labels[0], foreign.labels[0], gone[0]]) {
      expectFailure(await toggle(world.card, label ?? ""), "NOT_FOUND", [{}]);
    }
    expect(await labelsOf(world.card)).toEqual([]);
  });

  test("is 404 for a deleted card", async () => {
    const card = await makeCard(world.admin, world.list);
    await world.admin.rest.delete(`/cards/${card}`);
    expectFailure(await toggle(card, world.label), "NOT_FOUND", [{}]);
  });
});
