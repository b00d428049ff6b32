import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { insertComments } from "../../support/rows.ts";

const app = useApp();

test("card.duplicate copies a card at its limits, with every item and comment in order", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const { lists } = await makeBoard(workspace);
  const { body: card } = await admin.rest.post("/cards", {
    title: "Full",
    listPublicId: lists[0],
    checklists: Array.from({ length: 50 }, (_, list) => ({
      name: `List ${list}`,
      items: Array.from({ length: 500 }, (_item, item) => `${list}.${item}`),
    })),
  });
  const texts = Array.from({ length: 20_000 }, (_, n) => `Comment ${n + 1}`);
  await insertComments(app(), card.publicId, texts, "Ada");
  const { status, body: copy } = await admin.rest.post(`/cards/${card.publicId}/duplicate`, {
    withComments: true,
  });
  expect(status).toBe(200);
  const said = ({ checklists }: typeof copy) =>
    checklists.map(({ name, items }: { name: string; items: { title: string }[] }) => [
      name,
      ...items.map(({ title }) => title),
    ]);
  expect(said(copy)).toEqual(said(card));
  const comments = await app().db.read(
    sql`SELECT comment, "authorName" FROM comments co JOIN cards c ON c.id = co."cardId"
     WHERE c."publicId" = ${copy.publicId} ORDER BY co.id`,
  );
  expect(comments).toHaveLength(20_000);
  expect(comments[19_999]).toMatchObject({ comment: "Comment 20000", authorName: "Ada" });
});
