import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { fetched } from "../../transfer/exports/fetching.ts";

const app = useApp();

test("a card on a hidden board does not exist for readers of the other end", async () => {
  const workspace = await makeWorkspace(app());
  const member = await join(app(), workspace, "member");
  const [open, hidden] = [await makeBoard(workspace), await makeBoard(workspace)];
  const { rest } = workspace.admin;
  await rest.put(`/boards/${hidden.publicId}`, { visibility: "restricted" });
  const shown = await makeCard(workspace.admin, open.lists[0] ?? "", "Shown");
  const secret = await makeCard(workspace.admin, hidden.lists[0] ?? "", "Secret");
  const home = `/workspaces/${workspace.publicId}`;
  const reads = [
    `/cards/${shown}`,
    `/cards/${shown}/activities`,
    `/boards/${open.publicId}`,
    `/boards/${open.publicId}/cards`,
    `/boards/${open.publicId}/activity`,
    `/lists/${open.lists[0]}/cards`,
    `${home}/snapshot?relations=true`,
    `${home}/cards/1`,
    `${home}/search?q=Shown`,
  ];
  // Tokens of snapshots and cursors are of a moment: they differ in any two reads.
  const plain = (text: string) => text.replaceAll(/"(cursor|nextCursor|at|takenAt)":"[^"]*"/g, "");
  const world = async () =>
    Promise.all(reads.map(async (path) => plain((await fetched(app(), member.token, path)).text)));
  const before = await world();
  const { body: feed } = await member.rest.get(`${home}/events?limit=100`);
  for (const kind of ["blockedBy", "child", "relates"]) {
    const input = { kind, relatedCardPublicId: secret };
    expect((await rest.post(`/cards/${shown}/relations`, input)).status).toBe(200);
  }
  expect(await world()).toEqual(before);
  const { body: later } = await member.rest.get(`${home}/events?limit=100`);
  expect(later.items).toEqual(feed.items);
  const { relations } = (await rest.get(`/cards/${shown}`)).body;
  expect(relations).toHaveLength(3);
  const { body: all } = await rest.get(`${home}/events?limit=100`);
  const ofRelations = all.items.filter(
    (event: { type: string }) => event.type === "relation.created",
  );
  expect(ofRelations).toHaveLength(6);
  const [{ publicId }] = relations;
  expect((await member.rest.delete(`/cards/${shown}/relations/${publicId}`)).status).toBe(404);
  const byNumber = { kind: "blocks", relatedCardPublicId: "2" };
  expect((await member.rest.post(`/cards/${shown}/relations`, byNumber)).status).toBe(404);
});

test("eight writers make no circle and no second parent, and both ends agree", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const board = await makeBoard(workspace);
  const cards = await Promise.all(
    Array.from({ length: 8 }, () => makeCard(workspace.admin, board.lists[0] ?? "")),
  );
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const kinds = ["blocks", "parent", "duplicates", "relates"];
  const write = async () => {
    for (let nth = 0; nth < 20; nth++) {
      const [from, to] = [cards[random(8)], cards[random(8)]];
      if (random(4) === 0) {
        const { relations } = (await rest.get(`/cards/${from}`)).body;
        const id = relations[random(relations.length || 1)]?.publicId;
        if (id !== undefined) {
          const { status } = await rest.delete(`/cards/${from}/relations/${id}`);
          expect([200, 404]).toContain(status);
        }
        continue;
      }
      const input = { kind: kinds[random(4)], relatedCardPublicId: to };
      const { status } = await rest.post(`/cards/${from}/relations`, input);
      expect([200, 409]).toContain(status);
    }
  };
  await Promise.all(Array.from({ length: 8 }, write));
  const seen = new Map<string, { from: string; kind: string; to: string }[]>();
  for (const from of cards) {
    const { relations } = (await rest.get(`/cards/${from}`)).body;
    const parents = relations.filter(({ kind }: { kind: string }) => kind === "child");
    expect(parents.length).toBeLessThan(2);
    for (const { publicId, kind, card } of relations)
      seen.set(publicId, [...(seen.get(publicId) ?? []), { from, kind, to: card.publicId }]);
  }
  const inverse: Record<string, string> = {
    blockedBy: "blocks",
    child: "parent",
    duplicatedBy: "duplicates",
    relates: "relates",
  };
  for (const [one, other] of seen.values()) {
    expect(one).toMatchObject({ from: other?.to, to: other?.from });
    expect(inverse[one?.kind ?? ""] ?? one?.kind).toBe(inverse[other?.kind ?? ""] ?? other?.kind);
  }
  for (const kind of ["blocks", "parent", "duplicates"]) {
    const edges = [...seen.values()].flat().filter((edge) => edge.kind === kind);
    const left = new Set(cards);
    for (let round = 0; round < cards.length; round++) {
      for (const card of left)
        if (!edges.some(({ from, to }) => to === card && left.has(from))) left.delete(card);
    }
    expect([...left], kind).toEqual([]);
  }
}, 60_000);

test.each(["stays", "moves"] as const)(
  "a board that moves tells nobody of relations to a card that they do not see, which %s",
  async (which) => {
    const workspace = await makeWorkspace(app());
    const member = await join(app(), workspace, "member");
    const target = await makeWorkspace(app(), workspace.admin);
    const { rest } = workspace.admin;
    /** What the member sees after a board has moved whose card was related to one that stayed. */
    const world = async (isRelated: boolean) => {
      const [moved, other] = [await makeBoard(workspace), await makeBoard(workspace)];
      const hidden = which === "stays" ? other : moved;
      await rest.put(`/boards/${hidden.publicId}`, { visibility: "restricted" });
      const leaves = await makeCard(workspace.admin, moved.lists[0] ?? "", "Leaves");
      const stays = await makeCard(workspace.admin, other.lists[0] ?? "", "Stays");
      if (isRelated) {
        const input = { kind: "blocks", relatedCardPublicId: stays };
        expect((await rest.post(`/cards/${leaves}/relations`, input)).status).toBe(200);
      }
      const home = `/workspaces/${workspace.publicId}`;
      const since = async (by: typeof rest, cursor: string) =>
        (await by.get(`${home}/events?limit=100&cursor=${cursor}`)).body.items;
      const cursorOf = async (by: typeof rest) =>
        (await by.get(`${home}/events?limit=100`)).body.nextCursor;
      const cursors = [await cursorOf(member.rest), await cursorOf(rest)];
      const { status } = await rest.post(`/boards/${moved.publicId}/move`, {
        workspacePublicId: target.publicId,
      });
      expect(status).toBe(200);
      const [seen, all] = [
        await since(member.rest, cursors[0] ?? ""),
        await since(rest, cursors[1] ?? ""),
      ];
      const deleted = all.filter(({ type }: { type: string }) => type === "relation.deleted");
      expect(deleted.map(({ data }: { data: any }) => data.to.cardPublicId)).toEqual(
        isRelated ? [leaves] : [],
      );
      const card = await member.rest.get(`/cards/${stays}`);
      const { version, relations } = card.body;
      return { events: seen.map(({ type }: { type: string }) => type), version, relations };
    };
    expect(await world(true)).toEqual(await world(false));
  },
);
