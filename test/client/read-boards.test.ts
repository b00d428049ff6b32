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
