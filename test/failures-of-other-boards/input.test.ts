import { describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { makeBoard, makeUser, makeWorkspace } from "../support/make.ts";
import { start } from "./scene.ts";

const app = useApp();

describe("failures of other boards:", () => {
  test("a description that could not be cleared", async () => {
    const { user, ids } = await start(app(), 1);
    for (const empty of [null, ""]) {
      await user.rest.put(`/cards/${ids[0]}`, { description: "Text" });
      expect(
        (await user.rest.put(`/cards/${ids[0]}`, { description: empty })).body.description,
      ).toBe(empty);
      expect((await user.rest.get(`/cards/${ids[0]}`)).body.description).toBe(empty);
    }
  });

  test("archived=false read as true", async () => {
    const { workspace, user, board, one, ids } = await start(app(), 2);
    const other = await makeBoard(workspace);
    await user.rest.put(`/boards/${other.publicId}`, { isArchived: true });
    await user.rest.put(`/cards/${ids[0]}`, { isArchived: true });
    const home = `/workspaces/${workspace.publicId}/boards`;
    const names = async (path: string) => {
      const { status, body } = await user.rest.get(path);
      return status === 200
        ? body.items.map(({ publicId }: { publicId: string }) => publicId)
        : status;
    };
    expect(await names(`${home}?archived=false`)).toEqual([board.publicId]);
    expect(await names(`${home}?archived=true`)).toEqual([other.publicId]);
    expect(await names(`/boards/${board.publicId}/cards?archived=false`)).toEqual([ids[1]]);
    const shown = await user.rest.get(`/boards/${board.publicId}?archived=false`);
    expect(shown.body.lists[0]).toMatchObject({ publicId: one, cards: [{ publicId: ids[1] }] });
    expect(shown.body.lists[0].cards).toHaveLength(1);
    for (const no of ["0", "False"]) {
      expect(await names(`${home}?archived=${no}`), no).toEqual([board.publicId]);
    }
    for (const wrong of ["no", "2", "FALSE", ""]) {
      expect(await names(`${home}?archived=${wrong}`), wrong).toBe(400);
    }
  });

  test("deleted=false read as true", async () => {
    const user = await makeUser(app());
    const [remaining, gone] = [await makeWorkspace(app(), user), await makeWorkspace(app(), user)];
    await user.rest.delete(`/workspaces/${gone.publicId}`);
    const ids = async (query: string) => {
      const { status, body } = await user.rest.get(`/workspaces${query}`);
      return status === 200
        ? body.map(({ workspace }: { workspace: { publicId: string } }) => workspace.publicId)
        : status;
    };
    expect(await ids("?deleted=false")).toEqual([remaining.publicId]);
    expect(await ids("")).toEqual([remaining.publicId]);
    expect(await ids("?deleted=true")).toEqual([gone.publicId]);
    for (const no of ["0", "False"]) {
      expect(await ids(`?deleted=${no}`), no).toEqual([remaining.publicId]);
    }
    for (const wrong of ["no", "2", "", "true&deleted=false"]) {
      expect(await ids(`?deleted=${wrong}`), wrong).toBe(400);
    }
  });

  test("a filter that matched nothing and returned everything", async () => {
    const { user, board } = await start(app(), 2);
    const shown = await user.rest.get(`/boards/${board.publicId}?labels=nowhere00000`);
    expect(shown.body.lists.flatMap((list: { cards: unknown[] }) => list.cards)).toEqual([]);
    for (const query of ["labels=", "archived=perhaps", "x=1"]) {
      expect((await user.rest.get(`/boards/${board.publicId}?${query}`)).status).toBe(400);
    }
  });

  test("a child row fetched by its bare id after only the parent was checked", async () => {
    const { user, ids } = await start(app(), 1);
    const foreign = await start(app(), 1);
    const { body } = await foreign.user.rest.post(`/cards/${foreign.ids[0]}/checklists`, {
      name: "x",
      items: ["a"],
    });
    const [label] = foreign.board.labels;
    expect((await user.rest.put(`/cards/${ids[0]}/labels/${label}`)).status).toBe(404);
    expect(
      (await user.rest.put(`/cards/${ids[0]}`, { afterCardPublicId: foreign.ids[0] })).status,
    ).toBe(409);
    expect(
      (await user.rest.put(`/labels/${label}`, { name: "x", colourCode: "#123456" })).status,
    ).toBe(403);
    expect((await user.rest.delete(`/checklists/items/${body.items[0].publicId}`)).status).toBe(
      403,
    );
    expect(
      (await user.rest.post(`/checklists/${body.publicId}/items`, { title: "x" })).status,
    ).toBe(403);
    expect((await foreign.user.rest.get(`/cards/${foreign.ids[0]}`)).body).toMatchObject({
      labels: [],
      checklists: [{ items: [{ title: "a" }] }],
      version: 2,
    });
  });

  test("a foreign key in the body that moved a row to another tenant", async () => {
    const { user, ids, one, cardsByList } = await start(app(), 1);
    const foreign = await start(app());
    const path = `/cards/${ids[0]}`;
    expect((await user.rest.put(path, { listPublicId: foreign.one })).status).toBe(404);
    expect((await user.rest.post("/cards", { title: "x", listPublicId: foreign.one })).status).toBe(
      403,
    );
    const keys = [
      "listId",
      "boardId",
      "boardPublicId",
      "workspaceId",
      "workspacePublicId",
      "id",
      "publicId",
      "createdById",
      "position",
      "deletedAt",
    ];
    for (const key of keys) {
      expect((await user.rest.put(path, { [key]: foreign.one })).status, key).toBe(400);
      expect(
        (await user.rest.post("/cards", { title: "x", listPublicId: one, [key]: "1" })).status,
        key,
      ).toBe(400);
    }
    expect((await user.rest.put(path, { cardPublicId: foreign.one })).status).toBe(400);
    expect(await cardsByList()).toMatchObject({ [one]: ids });
    expect(Object.values(await foreign.cardsByList())).toEqual([[], []]);
  });
});
