import { expect, test } from "vitest";
import { createClient } from "../../src/client/index.ts";
import { useApp } from "../support/app.ts";
import { makeRich } from "../transfer/exports/rich.ts";

const app = useApp();

test("readBoards with details shows what is on a card as card.get and comment.list do", async () => {
  const { admin, workspace, cards: rich } = await makeRich(app());
  const client = createClient({
    url: "http://boards.test",
    auth: { token: admin.token },
    fetch: async (url, init) => app().fetch(new Request(url, init)),
  });
  const { cards } = await client.readBoards(workspace.publicId, { details: true });
  for (const cardPublicId of [rich.full, rich.plain]) {
    const read = cards.find(({ publicId }) => publicId === cardPublicId);
    const shown = await client.card.get({ cardPublicId });
    const { items: comments } = await client.comment.list({ cardPublicId });
    expect(shown.relations.length).toBeGreaterThan(0);
    expect(read).toEqual({ ...shown, comments, isWatching: false });
  }
});

test("readBoards leaves out what a later service has on cards", async () => {
  const { admin, workspace, cards: rich } = await makeRich(app());
  const laterLine = JSON.stringify({ kind: "laterPart", cardPublicId: rich.full, name: "New" });
  const read = (isLater: boolean) =>
    createClient({
      url: "http://boards.test",
      auth: { token: admin.token },
      fetch: async (url, init) => {
        const response = await app().fetch(new Request(url, init));
        const lines = (await response.text()).trimEnd().split("\n");
        if (isLater) lines.splice(-1, 0, laterLine);
        return new Response(`${lines.join("\n")}\n`, { headers: response.headers });
      },
    }).readBoards(workspace.publicId, { details: true });
  expect((await read(true)).cards).toEqual((await read(false)).cards);
});
