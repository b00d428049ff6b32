import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { inList, start } from "./creating.ts";

const app = useApp();

describe("card.create", () => {
  test("is 409 next to a card that is in another list, deleted or unknown, and creates nothing", async () => {
    const { user, board, list, other } = await start(app());
    const [elsewhere, gone] = [await makeCard(user, other), await makeCard(user, list)];
    await user.rest.delete(`/cards/${gone}`);
    for (const anchor of [elsewhere, gone, "nowhere00000"]) {
      for (const side of ["beforeCardPublicId", "afterCardPublicId"]) {
        const { status, body } = await user.rest.post("/cards", {
          title: "x",
          listPublicId: list,
          [side]: anchor,
        });
        expect({ status, code: body.code }).toEqual({ status: 409, code: "CONFLICT" });
      }
    }
    expect(await inList(user, board.publicId)).toEqual([[], [expect.any(String)]]);
    const { body } = await user.rest.post("/cards", { title: "next", listPublicId: list });
    expect(body.cardNumber).toMatch(/-3$/);
  });

  test("is 404 for a label of another board and a member of another workspace, and makes nothing", async () => {
    const { user, workspace, board, list } = await start(app());
    const second = await makeBoard(workspace, { labels: 1 });
    const stranger = await join(app(), await makeWorkspace(app()), "member");
    const foreign = [
      { labelPublicIds: [board.labels[0], second.labels[0]] },
      { labelPublicIds: ["nowhere00000"] },
      { memberPublicIds: [stranger.memberPublicId] },
    ];
    for (const field of foreign) {
      expect(
        await user.rest.post("/cards", { title: "x", listPublicId: list, ...field }),
      ).toMatchObject({
        status: 404,
        body: { code: "NOT_FOUND" },
      });
    }
    expect(await inList(user, board.publicId)).toEqual([[], []]);
  });

  test("refuses more than one placement, an invalid index, and values out of bounds", async () => {
    const { user, list } = await start(app());
    const card = await makeCard(user, list);
    const wrong = [
      { index: 0, beforeCardPublicId: card },
      { beforeCardPublicId: card, afterCardPublicId: card },
      { index: -1 },
      { index: 1.5 },
      { index: "1" },
      { index: null },
      { index: 2 ** 31 },
      { title: "   " },
      { title: "x".repeat(2001) },
      { description: "x".repeat(100_001) },
      { labelPublicIds: ["short"] },
      { checklists: [{ name: "" }] },
      { checklists: [{ name: "x", items: ["x".repeat(501)] }] },
      { listPublicId: "short" },
      { unknown: 1 },
    ];
    for (const field of wrong) {
      const { status, body } = await user.rest.post("/cards", {
        title: "x",
        listPublicId: list,
        ...field,
      });
      expect({ field, status, code: body.code }).toEqual({
        field,
        status: 400,
        code: "BAD_REQUEST",
      });
      expect(body.issues.length).toBeGreaterThan(0);
    }
  });

  test("takes titles and texts up to their bounds, counted in characters", async () => {
    const { user, list } = await start(app());
    const fields = { title: "🙂".repeat(2000), description: "🙂".repeat(100_000) };
    const { body } = await user.rest.post("/cards", { ...fields, listPublicId: list });
    expect(body).toMatchObject(fields);
  });
});
