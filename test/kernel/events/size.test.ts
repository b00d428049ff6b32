import { beforeAll, describe, expect, test } from "vitest";
import { membersPerEvent } from "../../../src/domain/access-changes.ts";
import { truncateEvent } from "../../../src/kernel/events/truncate.ts";
import { publicId as newPublicId } from "../../../src/platform/db/public-id.ts";
import { eventsIn } from "../access/membership.ts";
import { useApp } from "../../support/app.ts";
import {
  makeBoard,
  makeCard,
  makeWorkspace,
  type Board,
  type Workspace,
} from "../../support/make.ts";

const app = useApp({ isolated: true });
const most = 20_000;
let workspace: Workspace;
let board: Board;

beforeAll(async () => {
  workspace = await makeWorkspace(app());
  board = await makeBoard(workspace);
});

async function last(type: string) {
  const event = (await eventsIn(app(), workspace.publicId, type)).at(-1);
  if (event === undefined) throw new Error(`There is no ${type}.`);
  const { data, changes } = event;
  return {
    bytes: Buffer.byteLength(JSON.stringify({ data, changes })),
    data: data as Record<string, any>,
    changes: changes as Record<string, { from: unknown; to: unknown }> | null,
  };
}

const card = (fields: object) =>
  workspace.admin.rest.post("/cards", { listPublicId: board.lists[0], ...fields });

describe("an event", () => {
  test("of access names all its members, so that each of them gets it", () => {
    const memberPublicIds = Array.from({ length: membersPerEvent }, () => newPublicId());
    const content = { data: { boardPublicId: newPublicId(), memberPublicIds }, changes: null };
    expect(truncateEvent(content)).toEqual(content);
  });

  test("that is small enough is complete, without `shortened`", async () => {
    await card({ title: "Small", description: "x".repeat(15_000) });
    const { data } = await last("card.created");
    expect(data["card"].description).toHaveLength(15_000);
    expect(data).not.toHaveProperty("shortened");
  });

  test("with a long text is truncated and says where, while the card stores the full text", async () => {
    const description = "x".repeat(100_000);
    const { body } = await card({ title: "Long", description });
    const { data, bytes } = await last("card.created");
    expect(bytes).toBeLessThanOrEqual(most);
    expect(data["shortened"]).toEqual(["data.card.description"]);
    expect(data["card"]).toMatchObject({
      publicId: body.publicId,
      title: "Long",
      description: `${"x".repeat(2000)}…`,
    });
    expect((await workspace.admin.rest.get(`/cards/${body.publicId}`)).body.description).toBe(
      description,
    );
  });

  test("with long texts before and after is cut in both", async () => {
    const publicId = (await card({ title: "Long", description: "a".repeat(100_000) })).body
      .publicId;
    await workspace.admin.rest.put(`/cards/${publicId}`, { description: "b".repeat(100_000) });
    const { data, changes, bytes } = await last("card.updated");
    expect(bytes).toBeLessThanOrEqual(most);
    expect(data["shortened"]).toEqual([
      "data.card.description",
      "changes.description.from",
      "changes.description.to",
    ]);
    expect(changes?.["description"]).toEqual({
      from: `${"a".repeat(2000)}…`,
      to: `${"b".repeat(2000)}…`,
    });
  });

  test.each([
    ["three bytes a character", "語"],
    ["four bytes a character", "🂡"],
    ["six bytes a character in JSON", "\u0001"],
  ])("with %s is cut until it fits, never inside a character", async (_, character) => {
    const long = (count: number) => character.repeat(count);
    const publicId = (await card({ title: `!${long(1999)}`, description: long(50_000) })).body
      .publicId;
    await workspace.admin.rest.put(`/cards/${publicId}`, {
      title: `${long(1000)}!`,
      description: long(40_000),
    });
    const { data, bytes } = await last("card.updated");
    expect(bytes).toBeLessThanOrEqual(most);
    expect(data["shortened"]).toContain("data.card.description");
    const rest: string = data["card"].description;
    expect(rest.isWellFormed()).toBe(true);
    expect(rest.slice(0, -1).replaceAll(character, "")).toBe("");
    expect(data["card"].publicId).toBe(publicId);
  });

  test("with very many items is truncated to the first of them, and says so", async () => {
    const publicId = await makeCard(workspace.admin, board.lists[0] ?? "");
    const items = Array.from({ length: 500 }, (_, index) => `${index} ${"y".repeat(490)}`);
    const { status, body } = await workspace.admin.rest.post(`/cards/${publicId}/checklists`, {
      name: "Many",
      items,
    });
    expect({ status, items: body.items.length }).toEqual({ status: 200, items: 500 });
    const { data, bytes } = await last("checklist.created");
    expect(bytes).toBeLessThanOrEqual(most);
    expect(data["shortened"]).toContain("data.checklist.items");
    const rest: { publicId: string; title: string }[] = data["checklist"].items;
    expect(rest.length).toBeGreaterThan(0);
    expect(rest.map((item) => item.publicId)).toEqual(
      body.items.slice(0, rest.length).map((item: { publicId: string }) => item.publicId),
    );
  });
});
